// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// A recipe: copy this file.

public import RaceFreeFuture
internal import Synchronization
public import Tracing

/// Creates an observer that makes a span of each future that has a label.
///
/// The span begins where the future is created, as a child of the span there, and ends with the outcome. A failure is
/// recorded as an error, and the reason of a cancellation as the attribute `future.cancelled`.
///
/// - Parameter tracer: The tracer; by default the one that the program has installed.
/// - Returns: The observer.
public func tracingObserver(
  of tracer: any Tracer = InstrumentationSystem.tracer
) -> @Sendable (Future.Event) -> Void {
  let spans = Spans()
  return { event in
    switch event.kind {
    case .created: if let label = event.origin.label { spans.add(tracer.startAnySpan(label), of: event.id) }
    case .completed, .abandoned: spans.remove(event.id)?.end()
    case .failed(let error):
      guard let span = spans.remove(event.id) else { return }
      span.recordError(error)
      span.setStatus(SpanStatus(code: .error))
      span.end()
    case .cancelled(let cancellation):
      guard let span = spans.remove(event.id) else { return }
      span.attributes["future.cancelled"] = "\(cancellation.reason)"
      span.end()
    case .failedTooLate: break
    }
  }
}

/// The spans of the futures that are pending.
private final class Spans: Sendable {
  /// Guards the table; spans begin and end outside.
  private let table = Mutex<[ObjectIdentifier: any Span]>([:])

  func add(_ span: any Span, of future: ObjectIdentifier) { table.withLock { $0[future] = span } }

  func remove(_ future: ObjectIdentifier) -> (any Span)? { table.withLock { $0.removeValue(forKey: future) } }
}
