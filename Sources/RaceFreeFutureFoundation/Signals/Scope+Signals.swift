// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

public import RaceFreeFuture

// MARK: - Stop on signals

extension Scope {
  /// Waits for a signal to this process, then shuts down as `shutDown(gracefully:cancelling:)`
  /// does.
  ///
  /// ```swift
  /// let server = Scope(label: "server")
  /// server.addTask { try await listen(in: server) }
  /// try await server.shutDown(on: [.terminate, .interrupt], gracefully: .seconds(10), cancelling: .seconds(5))
  /// ```
  ///
  /// The shutdown also begins if the scope is stopped or cancelled otherwise. While this runs, the signals have no
  /// other effect: any further one ends the current step. So the second one cancels, and the third one makes this throw
  /// an error that names what is stuck. The signals have their former effect again when one has ended the last step, or
  /// this has returned or thrown. Child processes inherit none of this, not even a forked child that runs no other
  /// program.
  ///
  /// If several scopes shut down on a signal, or it cancels other work as well, it is one step of each shutdown, even
  /// if the step of one scope stops or cancels another.
  ///
  /// If the calling task is cancelled, the scope is cancelled and the wait ends. A member that calls this in its own
  /// task would wait for itself: then this throws at once, and waits for no signal.
  ///
  /// - Parameters:
  ///   - signals: The signals that begin the shutdown. Those that can't be caught, such as ``ProcessSignal/kill``, are
  ///     ignored.
  ///   - gracefulInterval: The time the work has to finish. If it is zero or less, the scope is cancelled at once.
  ///   - cancellingInterval: The time cancelled work has to end.
  /// - Throws: `DrainError` if something isn't over then, or never can be; `CancellationError` if the calling task was
  ///   cancelled.
  public func shutDown(
    on signals: [ProcessSignal],
    gracefully gracefulInterval: Duration,
    cancelling cancellingInterval: Duration
  ) async throws {
    try checkCaller(gracefulInterval)
    let waiting = Future(label: "a signal to stop \(origin)")
    let stopping = Future(label: "a signal to cancel \(origin)")
    let cancelling = Future(label: "a signal to give up \(origin)")
    let steps = [waiting, stopping, cancelling]
    let listener = SignalListener(for: signals)
    // Signals are delivered one by one, so each ends the next step.
    listener.begin { [weak listener] in
      guard let step = steps.first(where: \.isPending) else {
        // At once, lest the signal be caught again when it is sent again.
        listener?.end()
        return nil
      }
      return {
        step.complete()
        return true
      }
    }
    let registration = stopToken.onCleanUp(on: .inline) { waiting.complete() }
    defer {
      registration.unregister()
      listener.end()
      for step in steps { step.complete() }
    }
    do {
      try await waiting.value
    } catch {
      cancel()
      throw error
    }
    try await shutDown(gracefulInterval, hurriedBy: stopping, cancellingInterval, hurriedBy: cancelling)
  }
}
