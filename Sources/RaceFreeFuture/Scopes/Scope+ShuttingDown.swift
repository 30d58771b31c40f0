// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// MARK: - Stop gracefully

extension Scope {
  /// Cancelled when a graceful stop begins: whoever takes in new work looks here, and finishes what there is.
  ///
  /// Also when the scope is cancelled, and when a scope around it is stopped.
  ///
  /// ```swift
  /// listener.attach { start() } stop: { $0.close() }        // stops listening when it is cancelled
  /// scope.stopToken.cascadeCancellation(to: listener)      // and is cancelled when the stop begins
  /// ```
  public var stopToken: CancelToken { stopFuture.cancelToken }

  /// Begins a graceful stop: cancels ``stopToken``, and nothing else.
  ///
  /// Callable from any thread, any number of times; never blocks.
  public func stop() { stopFuture.cancel() }

  /// Stops, cancels and drains: in steps, each with its time.
  ///
  /// 1. ``stop()``, and wait until everything is over, but not longer than `gracefulInterval`.
  /// 2. Cancel the scope: for a ``TimeoutError``, if it wasn't over, which says what was given how long. From now on what
  ///    is added is cancelled at once. Wait for all clean-up, but not longer than `cancellingInterval`.
  /// 3. Throw an error that names what is stuck. What comes now is up to the caller: as a rule the end of the process.
  ///
  /// Each step ends as soon as there is nothing to wait for. If the calling task is cancelled, the scope is cancelled and
  /// nobody waits any more.
  ///
  /// - Parameters:
  ///   - gracefulInterval: How long the work has to finish. Zero or less: the scope is cancelled at once.
  ///   - cancellingInterval: How long cancelled work has to end.
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
  /// It also begins if somebody else stops or cancels the scope. While this runs, the signals do nothing else: a further
  /// one, whichever of them, ends the step that is under way. So the second one cancels, and the third one has this throw
  /// and name what is stuck. When it has returned or thrown, the signals do again what they did before. Child processes
  /// inherit nothing of that.
  ///
  /// If the calling task is cancelled, the scope is cancelled and nobody waits any more.
  ///
  /// - Parameters:
  ///   - signals: Those that begin it. One that the system lets nobody catch, as ``ProcessSignal/kill``, is left out.
  ///   - gracefulInterval: How long the work has to finish. Zero or less: the scope is cancelled at once.
  ///   - cancellingInterval: How long cancelled work has to end.
  /// - Throws: ``DrainError`` if something isn't over then; `CancellationError` if the calling task was cancelled.
  public func shutDown(
    on signals: [ProcessSignal],
    gracefully gracefulInterval: Duration,
    cancelling cancellingInterval: Duration
  ) async throws {
    let steps = ShutdownSteps(of: future.name)
    // Signals are told one by one, so each ends the next step.
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
    cancel(throwing: reason)
    try await future.drain(within: cancelling, unless: hurry?.cancelling)
  }
}

/// What a signal ends: waiting for the first one, then the time to stop, then the time to cancel.
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
