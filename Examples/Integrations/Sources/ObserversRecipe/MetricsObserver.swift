// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// A recipe: copy this file.

public import Metrics
public import RaceFreeFuture

/// Creates an observer that counts the outcomes of all futures with swift-metrics.
///
/// | metric | meaning |
/// | --- | --- |
/// | counter `future_outcomes`, dimension `outcome` | futures that were completed, failed, cancelled or abandoned |
/// | counter `future_late_failures` | errors that came after the outcome |
/// | meter `futures_pending` | futures made since this call, minus the outcomes since this call |
///
/// No labels: a backend keeps a series for each value of a dimension. Set the observer before the first future is made:
/// one that was made earlier would only be subtracted from those that are pending.
///
/// - Parameter factory: The backend; by default the one that the program has installed.
/// - Returns: The observer.
public func metricsObserver(
  of factory: any MetricsFactory = MetricsSystem.factory
) -> @Sendable (Future.Event) -> Void {
  func outcomes(_ outcome: String) -> Counter {
    Counter(label: "future_outcomes", dimensions: [("outcome", outcome)], factory: factory)
  }
  let completed = outcomes("completed")
  let failed = outcomes("failed")
  let cancelled = outcomes("cancelled")
  let abandoned = outcomes("abandoned")
  let lateFailures = Counter(label: "future_late_failures", factory: factory)
  let pending = Meter(label: "futures_pending", factory: factory)

  return { event in
    let outcome: Counter
    switch event.kind {
    case .created: return pending.increment()
    case .failedTooLate: return lateFailures.increment()
    case .completed: outcome = completed
    case .failed: outcome = failed
    case .cancelled: outcome = cancelled
    case .abandoned: outcome = abandoned
    }
    pending.decrement()
    outcome.increment()
  }
}
