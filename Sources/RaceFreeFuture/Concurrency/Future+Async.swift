// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

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
      case .completed, .delivered: return
      case .cancelled(let reason): throw reason
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
      if let decidedOutcome { return decidedOutcome }
      return await unsafe suspend { continuation in
        let node = HandlerNode()
        _ = unsafe node.park(continuation)
        _ = register(node)
      }.outcome
    }
  }

  /// Suspends until the future is resolved and all its handlers have returned, in whichever context they ran.
  ///
  /// Handlers that are added while others still run are waited for as well; one that is added when all have returned
  /// isn't, nor is what handlers in turn started elsewhere. Cancelling the awaiting task doesn't end the wait. Meant
  /// for tests and for an orderly end.
  public var handlersFinished: Outcome {
    get async {
      return await unsafe suspend { continuation in
        let node = HandlerNode()
        _ = unsafe node.park(continuation)
        if let resolution = process({ $0.awaitFinish(node) }) { _ = node.unpark(with: resolution) }
      }.outcome
    }
  }

  /// Waits for the resolution; nil if the awaiting task was cancelled first.
  func awaitResolution() async -> Resolution? {
    if let resolution { return resolution }
    let node = HandlerNode()
    return await withTaskCancellationHandler {
      await unsafe withUnsafeContinuation { continuation in
        if unsafe node.park(continuation) { registerAwaiting(node) } else { unsafe continuation.resume(returning: nil) }
      }
    } onCancel: {
      // This runs under a lock of the runtime, so it waits for nothing. If the task can't be taken back the outcome is
      // on its way to it. A resolution that is there although it could isn't lost.
      if node.unpark(with: resolution) { process { $0.remove(node) } }
    }
  }

  /// Registers the node of a suspended task, which `unpark` may take back at any time.
  func registerAwaiting(_ node: HandlerNode) {
    _ = register(node)
    // Taken back before it was registered, it stands in the list in vain.
    if node.isRevoked { process { $0.remove(node) } }
  }

  /// Suspends the calling task until it is given a resolution.
  ///
  /// For tasks that are resumed by an outcome and by nothing else.
  private func suspend(_ body: (UnsafeContinuation<Resolution?, Never>) -> Void) async -> Resolution {
    guard let resolution = await unsafe withUnsafeContinuation(body) else {
      fatalError("a task that waits for a future was woken without an outcome: \(self)")
    }
    return resolution
  }
}
