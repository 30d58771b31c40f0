// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// MARK: - Stop gracefully

extension Scope {
  /// A token that is cancelled when a graceful stop begins: code that accepts new work observes it, and finishes the
  /// work it has.
  ///
  /// It is also cancelled when the scope is cancelled, and when an enclosing scope is stopped.
  ///
  /// ```swift
  /// listener.attach { start() } stop: { $0.close() }        // stops listening when it is cancelled
  /// scope.stopToken.cascadeCancellation(to: listener)      // and is cancelled when the stop begins
  /// ```
  public var stopToken: CancelToken { stopFuture.cancelToken }

  /// Begins a graceful stop: cancels ``stopToken``, and nothing else.
  ///
  /// It can be called from any thread, any number of times, and never blocks.
  ///
  /// - Parameters:
  ///   - fileID: The file of the call, for the token's ``CancellableWork/cancellationSite``; keep the default.
  ///   - line: The line of the call; keep the default.
  public func stop(fileID: StaticString = #fileID, line: UInt = #line) {
    stopFuture.cancel(fileID: fileID, line: line)
  }

  /// Stops, cancels and drains in steps, each with its own timeout.
  ///
  /// 1. ``stop(fileID:line:)``, and wait until everything is over, at most for `gracefulInterval`.
  /// 2. Cancel the scope, with a ``TimeoutError`` that has the label and the interval if it wasn't over. Work that is
  ///    added from now on is cancelled at once. Wait for all clean-up, at most for `cancellingInterval`.
  /// 3. Throw an error that names what is stuck. The caller decides how to continue: as a rule it ends the process.
  ///
  /// Each step ends as soon as there is nothing to wait for. If the calling task is cancelled, the scope is cancelled
  /// and the wait ends.
  ///
  /// - Parameters:
  ///   - gracefulInterval: The time the work has to finish. If it is zero or less, the scope is cancelled at once.
  ///   - cancellingInterval: The time cancelled work has to end.
  /// - Throws: ``DrainError`` if something isn't over then; `CancellationError` if the calling task was cancelled.
  public func shutDown(gracefully gracefulInterval: Duration, cancelling cancellingInterval: Duration) async throws {
    try await shutDown(gracefulInterval, cancellingInterval, hurry: nil)
  }

  /// Waits for a signal to this process, then shuts down as ``shutDown(gracefully:cancelling:)`` does.
  ///
  /// ```swift
  /// let server = Scope(label: "server")
  /// server.addTask { try await listen(in: server) }
  /// try await server.shutDown(on: [.terminate, .interrupt], gracefully: .seconds(10), cancelling: .seconds(5))
  /// ```
  ///
  /// The shutdown also begins if the scope is stopped or cancelled otherwise. While this runs, the signals have no
  /// other effect: any further one ends the current step. So the second one cancels, and the third one makes this throw
  /// an error that names what is stuck. When this has returned or thrown, the signals have their former effect again.
  /// Child processes inherit none of this, not even one that was forked and runs no other program.
  ///
  /// If the calling task is cancelled, the scope is cancelled and the wait ends.
  ///
  /// - Parameters:
  ///   - signals: The signals that begin the shutdown. Those that can't be caught, such as ``ProcessSignal/kill``, are
  ///     ignored.
  ///   - gracefulInterval: The time the work has to finish. If it is zero or less, the scope is cancelled at once.
  ///   - cancellingInterval: The time cancelled work has to end.
  /// - Throws: ``DrainError`` if something isn't over then; `CancellationError` if the calling task was cancelled.
  public func shutDown(
    on signals: [ProcessSignal],
    gracefully gracefulInterval: Duration,
    cancelling cancellingInterval: Duration
  ) async throws {
    let steps = ShutdownSteps(of: future.name)
    // Signals are delivered one by one, so each ends the next step.
    let takeBack = Set(signals).compactMap { SignalListeners.listen(for: $0) { steps.endNext() } }
    defer { for takeBack in takeBack { takeBack() } }
    let registration = stopFuture.onCleanUp(on: .inline) { steps.waiting.complete() }
    defer {
      registration.unregister()
      steps.endAll()
    }
    do {
      try await steps.waiting.value
    } catch {
      cancel()
      throw error
    }
    try await shutDown(gracefulInterval, cancellingInterval, hurry: steps)
  }

  private func shutDown(_ graceful: Duration, _ cancelling: Duration, hurry: ShutdownSteps?) async throws {
    stop()
    var reason: any Error = CancellationError()
    do {
      try await future.drain(within: graceful, unless: hurry?.stopping)
    } catch is DrainError {
      reason = TimeoutError(interval: graceful, label: "stopping \(future.name)")
    } catch {
      cancel()
      throw error
    }
    // Over, however it ended: the next signal ends the next step.
    hurry?.stopping.complete()
    cancel(throwing: reason)
    try await future.drain(within: cancelling, unless: hurry?.cancelling)
  }
}

/// The steps that signals end: waiting for the first one, then the time to stop, then the time to cancel.
private struct ShutdownSteps {
  let waiting: Future
  let stopping: Future
  let cancelling: Future

  init(of name: String) {
    waiting = Future(label: "a signal to stop \(name)")
    stopping = Future(label: "a signal to cancel \(name)")
    cancelling = Future(label: "a signal to give up \(name)")
  }

  private var all: [Future] { [waiting, stopping, cancelling] }

  func endNext() { all.first(where: \.isPending)?.complete() }

  func endAll() { for step in all { step.complete() } }
}
