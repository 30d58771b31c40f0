// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// MARK: - Stop gracefully

extension Scope {
  /// A token that is cancelled when a graceful stop begins: code that accepts new work observes it, and finishes the
  /// work it has.
  ///
  /// To begin a graceful stop without waiting for its end, cancel this token. It is also cancelled when the scope is
  /// cancelled, and when an enclosing scope is stopped.
  ///
  /// ```swift
  /// listener.attach { start() } stop: { $0.close() }        // stops listening when it is cancelled
  /// scope.stopToken.cascadeCancellation(to: listener)      // and is cancelled when the stop begins
  /// ```
  public var stopToken: CancelToken { stopFuture.cancelToken }

  /// Stops, cancels and drains in steps, each with its own timeout.
  ///
  /// 1. Cancel ``stopToken``, and wait until everything is over, at most for `gracefulInterval`.
  /// 2. Cancel the scope, with a ``TimeoutError`` that has the label and the interval if it wasn't over. Work that is
  ///    added from now on is cancelled at once. Wait for all clean-up, at most for `cancellingInterval`.
  /// 3. Throw an error that names what is stuck. The caller decides how to continue: as a rule it ends the process.
  ///
  /// Each step ends as soon as there is nothing to wait for. If the calling task is cancelled, the scope is cancelled
  /// and the wait ends.
  ///
  /// A member that calls this in its own task would wait for itself: then this throws at once, before it has stopped
  /// anything, and the error says so. In a member begin the stop by cancelling ``stopToken``, and return.
  ///
  /// - Parameters:
  ///   - gracefulInterval: The time the work has to finish. If it is zero or less, the scope is cancelled at once.
  ///   - cancellingInterval: The time cancelled work has to end.
  /// - Throws: ``DrainError`` if something isn't over then; `CancellationError` if the calling task was cancelled.
  public func shutDown(gracefully gracefulInterval: Duration, cancelling cancellingInterval: Duration) async throws {
    try await shutDown(gracefulInterval, hurriedBy: nil, cancellingInterval, hurriedBy: nil)
  }

  /// Throws if the running task is part of this scope.
  package func checkCaller(_ interval: Duration) throws { try future.checkCaller(interval) }

  /// Does the same, where each step also ends when a future is resolved.
  ///
  /// That of the first step is completed when the step has ended.
  package func shutDown(
    _ graceful: Duration,
    hurriedBy stopping: Future?,
    _ cancelling: Duration,
    hurriedBy givingUp: Future?
  ) async throws {
    try future.checkCaller(graceful)
    stopFuture.cancel()
    var reason: any Error = CancellationError()
    do {
      try await future.drain(within: graceful, unless: stopping)
    } catch is DrainError {
      reason = TimeoutError(interval: graceful, label: "stopping \(future.name)")
    } catch {
      cancel()
      throw error
    }
    // Over, however it ended: the next signal ends the next step.
    stopping?.complete()
    cancel(throwing: reason)
    try await future.drain(within: cancelling, unless: givingUp)
  }
}
