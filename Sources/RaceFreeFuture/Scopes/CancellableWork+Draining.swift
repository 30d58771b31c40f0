// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// MARK: - Drain

extension CancellableWork {
  /// Suspends until the work is over: decided, its handlers returned, and everything that kept it open ended.
  ///
  /// The task resumes on its own executor. Cancelling it doesn't end the wait: where it should, use ``drain(within:)``.
  /// This decides nothing: cancel first, or wait for the work to end by itself. See <doc:Pitfalls#Five-waits>.
  ///
  /// A scope is over when nothing is open in it: everything that was added has ended, with all handlers, tasks of
  /// handlers and activities, and so have nested scopes, for which ``handlersFinished`` doesn't wait. Work that is
  /// added meanwhile is also waited for.
  ///
  /// This waits for the work itself where the library runs it: background and lazy work, tasks, operations, URL
  /// transfers, child processes. Announce other work with ``beginActivity(_:fileID:line:)``. Handlers of dispatch
  /// sources aren't waited for.
  ///
  /// In a handler, a member or an activity of the same work this would wait for itself, and never return;
  /// ``drain(within:)`` throws there.
  public func drain() async {
    let future = cancelToken.future
    // Again, if something has begun before the task continued.
    while let end = future.beginDrain()?.end { _ = await end.resolvedOutcome }
  }

  /// Suspends until the work is over; throws an error that names the remaining work if it isn't over in time.
  ///
  /// This waits for the same as ``drain()``. If the awaiting task is cancelled, it continues at once. A task of the
  /// work itself (``Scope/addTask(name:priority:fileID:line:_:)``, ``onCancelTask(name:priority:fileID:line:_:)``)
  /// would wait for its own end: there this throws at once, and says so; in child tasks of such a task it waits for the
  /// whole time.
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
  /// - Parameter interval: The longest time to wait. Zero or less doesn't wait.
  /// - Throws: ``DrainError`` if something isn't over by then, or never can be; `CancellationError` if the task was
  ///   cancelled before.
  public func drain(within interval: Duration) async throws {
    try await cancelToken.future.drain(within: interval, unless: nil)
  }
}

extension CancellableWork {
  /// Cancels the work, and suspends until it is over; throws an error that names the remaining work if it isn't over in
  /// time.
  ///
  /// Equivalent to ``cancel(throwing:fileID:line:)`` followed by ``drain(within:)``. A task of the work itself cancels
  /// it, too, before this throws.
  ///
  /// - Parameters:
  ///   - reason: The reason.
  ///   - interval: The longest time to wait. Zero or less doesn't wait.
  /// - Throws: The errors of ``drain(within:)``.
  public func cancelAndDrain(
    throwing reason: any Error = CancellationError(),
    within interval: Duration,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) async throws {
    cancel(throwing: reason, fileID: fileID, line: line)
    try await drain(within: interval)
  }
}

extension Future {
  /// Begins a wait until everything that belongs to it is over (L12); nil if it already is.
  ///
  /// The end is completed then, unless the wait was unregistered.
  func beginDrain() -> (end: Future, wait: Registration)? {
    if isDrained { return nil }
    let end = Future(label: "the end of \(name)")
    let waiter = HandlerNode(role: .drain) { _ in end.complete() }
    awaitEnd(waiter)
    return (end, Registration(self, .node(waiter)))
  }

  /// True if everything that belongs to it is over (L12).
  var isDrained: Bool { process { $0.isOver(.drain) } }

  /// Drains like the public function, but gives up early when the other future is resolved.
  func drain(within interval: Duration, unless hurry: Future?) async throws {
    if isDrained { return }
    try checkCaller(interval)
    try Task.checkCancellation()
    let start = presentInstant
    let limit = Future(label: "the time for \(name)")
    limit.cancel(after: interval)
    let registration = hurry?.onCleanUp(on: .inline) { limit.cancel() }
    defer {
      registration?.unregister()
      // Unregisters the timer.
      limit.complete()
    }
    while let drain = beginDrain() {
      drain.end.link(to: limit.cancelToken)
      let resolution = await drain.end.awaitResolution()
      drain.wait.unregister()
      guard let resolution else { throw CancellationError() }
      guard resolution.outcome == .cancelled else { continue }
      let error = DrainError(self, interval: interval, since: start)
      // Work that was open while the names were collected may be over by now.
      if isDrained { return }
      throw error
    }
  }

  /// Throws if the running task would wait for its own end: that can be known before it begins.
  func checkCaller(_ interval: Duration) throws(DrainError) {
    guard let caller = RunningWork.future else { return }
    let error = DrainError(self, interval: interval, since: presentInstant, by: caller)
    if error.isOfCaller { throw error }
  }
}
