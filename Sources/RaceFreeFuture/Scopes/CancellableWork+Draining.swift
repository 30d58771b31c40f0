// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// MARK: - Drain

extension CancellableWork {
  /// Suspends until the work is over: decided, its handlers returned, and everything ended that kept it open.
  ///
  /// That is what ``handlersFinished`` waits for. A scope is over when nothing is open in it: everything that was added
  /// has ended, also in scopes inside, with all handlers, tasks of handlers and activities; whether the scope itself is
  /// cancelled or undecided doesn't matter. What is added meanwhile is waited for as well. It decides nothing: cancel
  /// before, or let the work come to its end.
  ///
  /// The work itself is waited for where the library runs it: background and lazy work, tasks, operations, child
  /// processes. Of other work it knows no more than the future does; ``beginActivity(_:fileID:line:)`` tells it. Handlers
  /// of dispatch sources aren't waited for.
  ///
  /// Cancelling the awaiting task doesn't end the wait; use ``drain(within:)``. Awaited by what it waits for, it never
  /// returns: don't call it in a handler, a member or an activity of the same work.
  public func drain() async {
    let future = cancelToken.future
    // Again, if something has begun before the task went on.
    while let (drained, number) = future.beginDrain() {
      _ = await drained.resolvedOutcome
      future.openWork?.removeDrain(number)
    }
  }

  /// Suspends until the work is over, but not longer than the given time; else throws an error that names what isn't.
  ///
  /// For what it waits see ``drain()``. If the awaiting task is cancelled, it leaves at once. Either way nothing is left
  /// behind.
  ///
  /// ```swift
  /// scope.cancel()
  /// do {
  ///   try await scope.drain(within: .seconds(10))
  /// } catch let error as DrainError {
  ///   for stuck in error.remaining { log(stuck) }
  /// }
  /// ```
  ///
  /// - Parameter interval: How long, measured as `DispatchTime` does. Zero or less doesn't wait.
  /// - Throws: ``DrainError`` if something isn't over by then; `CancellationError` if the task was cancelled before.
  public func drain(within interval: Duration) async throws {
    try await cancelToken.future.drain(within: interval, unless: nil)
  }
}

extension Future {
  /// Drains like the public function, but gives up before when the other future is resolved.
  func drain(within interval: Duration, unless hurry: Future?) async throws {
    if isDrained { return }
    let limit = Future(label: "the time for \(name)")
    limit.cancel(after: interval)
    let registration = hurry?.onCleanUp(on: .inline) { limit.cancel() }
    defer {
      registration?.unregister()
      // Takes the timer back.
      limit.complete()
    }
    while let (drained, number) = beginDrain() {
      drained.link(to: limit.cancelToken)
      let resolution = await drained.awaitResolution()
      openWork?.removeDrain(number)
      guard let resolution else { throw CancellationError() }
      guard resolution.outcome == .cancelled else { continue }
      let error = DrainError(self, interval: interval)
      // What was open while the names were collected may be over by now.
      if isDrained { return }
      throw error
    }
  }

  /// Enters somebody who waits until everything is over; nil if it is.
  fileprivate func beginDrain() -> (drained: Future, number: UInt64)? {
    if isDrained { return nil }
    let open = neededOpenWork()
    let drained = Future(label: "the end of \(name)")
    let number = open.insertDrain(drained)
    // Now that it stands there: it may be over since (S3).
    guard isDrained else { return (drained, number) }
    open.removeDrain(number)
    return nil
  }
}
