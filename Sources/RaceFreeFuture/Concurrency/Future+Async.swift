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
      switch await awaitResolution() {
      case .completed: return
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
      let task = ParkedTask()
      _ = register(task.waiter)
      return await task.parkUntilResolved().outcome
    }
  }

  /// Suspends until the future is resolved and all its handlers have returned, in whichever context they ran.
  ///
  /// Handlers that are added while others still run are waited for as well; one that is added when all have returned
  /// isn't, nor is what handlers in turn started elsewhere. Cancelling the awaiting task doesn't end the wait. Meant
  /// for tests and for an orderly end.
  public var handlersFinished: Outcome {
    get async {
      let task = ParkedTask()
      if let resolution = process({ $0.awaitFinish(task) }) { return resolution.outcome }
      return await task.parkUntilResolved().outcome
    }
  }

  /// Waits for the resolution; nil if the awaiting task was cancelled first.
  func awaitResolution() async -> Resolution? {
    if let resolution { return resolution }
    let task = ParkedTask()
    let node = task.waiter
    let registration = Registration(self, node)
    // Registered before the cancellation handler is there and before the task is parked: `ParkedTask` takes the three
    // events in any order.
    _ = register(node)
    return await withTaskCancellationHandler {
      await task.park()
    } onCancel: {
      // This runs under a lock of the runtime, so it waits for nothing. If the node can't be taken back, the outcome is
      // on its way to the task. If it could, the task is ours to wake; a resolution that is there all the same isn't
      // lost.
      if registration.remove() { task.wake(with: resolution) }
    }
  }
}

extension ParkedTask {
  /// What wakes this task at the outcome.
  fileprivate var waiter: HandlerNode {
    HandlerNode { resolution, onPrivateQueue in self.wake(with: resolution, hop: onPrivateQueue) }
  }

  /// Suspends the calling task until the future is resolved.
  ///
  /// For tasks that nobody wakes otherwise.
  fileprivate func parkUntilResolved() async -> Resolution {
    guard let resolution = await park() else {
      fatalError("a task that waits for a future was woken without an outcome")
    }
    return resolution
  }
}
