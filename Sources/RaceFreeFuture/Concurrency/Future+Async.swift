// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Dispatch

// MARK: - Await

extension Future {
  /// Suspends until the future is completed; throws if it is cancelled.
  ///
  /// If the awaiting task is cancelled while the future is pending, it leaves at once with `CancellationError` and
  /// leaves nothing behind; the future and whoever else waits for it are untouched. A future that is completed already
  /// returns also in a cancelled task.
  ///
  /// - Throws: ``cancellationReason``, or `CancellationError` because the awaiting task was cancelled.
  public var value: Void {
    get async throws {
      if isCompleted { return }
      switch await awaitResolution() {
      case .completed, .delivered, .failed: return
      case .cancelled(let reason): throw reason
      case .cascaded(let cascade): throw cascade.reason
      case nil: throw CancellationError()
      }
    }
  }

  /// Suspends until the future is resolved.
  ///
  /// As it can't throw, cancelling the awaiting task doesn't end the wait: use ``value`` where it should. Where the
  /// task waits to be handed something exactly once, let its cancellation handler cancel the future and await this:
  /// then `tryComplete` tells the giver whether it was taken.
  public var outcome: Outcome {
    get async {
      await resolved.outcome
    }
  }

  /// Suspends until the future is resolved and all its handlers have returned, in whichever context they ran.
  ///
  /// Handlers that are added while others still run are waited for as well; one that is added when all have returned
  /// isn't, nor is what handlers in turn started elsewhere. Cancelling the awaiting task doesn't end the wait. Meant
  /// for tests and for an orderly end.
  public var handlersFinished: Outcome {
    get async {
      await unsafe suspend { continuation in
        let node = HandlerNode(role: .awaitsHandlers)
        _ = unsafe node.park(continuation)
        if let resolution = process({ $0.awaitFinish(node) }) { _ = node.unpark(with: resolution) }
      }.outcome
    }
  }

  /// Waits for the resolution, whatever becomes of the task.
  var resolved: Resolution {
    get async {
      if let resolution { return resolution }
      return await unsafe suspend { continuation in
        let node = HandlerNode()
        _ = unsafe node.park(continuation)
        _ = register(node)
      }
    }
  }

  /// Waits for the resolution; nil if the awaiting task was cancelled first.
  ///
  /// Inlined, as what it calls: each call of an asynchronous function takes a frame of its own.
  @inline(__always)
  func awaitResolution() async -> Resolution? {
    if let resolution { return resolution }
    return await awaitResolution(HandlerNode())
  }

  /// Waits for the resolution; nil if the awaiting task was cancelled or the time was over first.
  func awaitResolution(within interval: DispatchTimeInterval) async -> Resolution? {
    if let resolution { return resolution }
    let node = HandlerNode()
    guard interval != .never else { return await awaitResolution(node) }
    let timer = Timer(after: interval, for: self)
    timer.start { [self] in unpark(node) }
    defer { timer.stop() }
    return await awaitResolution(node)
  }

  @inline(__always)
  private func awaitResolution(_ node: HandlerNode) async -> Resolution? {
    let wait = beginWait()
    defer { endWait(wait) }
    return await withTaskCancellationHandler {
      await unsafe withUnsafeContinuation { continuation in
        guard unsafe node.park(continuation) else { return unsafe continuation.resume(returning: resolution) }
        _ = register(node)
        // Unparked before it was registered, it stands in the list in vain.
        if node.isRevoked { _ = process { $0.remove(node) } }
      }
    } onCancel: {
      // This runs under a lock of the runtime, so it waits for nothing.
      unpark(node)
    }
  }

  /// Goes on with a task that waits, unless the outcome is on its way to it.
  private func unpark(_ node: HandlerNode) {
    // A resolution that is there although the task could be taken back isn't lost.
    if node.unpark(with: resolution) { _ = process { $0.remove(node) } }
  }

  /// Suspends the calling task until it is given a resolution.
  ///
  /// For tasks that are resumed by an outcome and by nothing else.
  private func suspend(_ body: (UnsafeContinuation<Resolution?, Never>) -> Void) async -> Resolution {
    let wait = beginWait()
    defer { endWait(wait) }
    guard let resolution = await unsafe withUnsafeContinuation(body) else {
      fatalError("a task that waits for a future was woken without an outcome: \(self)")
    }
    return resolution
  }

  /// Tells the conductor, if there is one, that the running task is about to be suspended for this future.
  func beginWait() -> Int? {
    conductedQueue.map { $0.conductor.beginWait(for: $0) }
  }

  /// Tells the conductor that the task goes on.
  func endWait(_ wait: Int?) {
    if let wait { conductedQueue?.conductor.endWait(wait) }
  }
}
