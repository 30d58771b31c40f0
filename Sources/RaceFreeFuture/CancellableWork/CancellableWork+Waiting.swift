// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// MARK: - Wait

// Disfavoured: `try? future.wait(timeout: limit)` of a value future would else mean the outcome, because that is optional
// already, and not the value.
extension CancellableWork {
  /// Blocks the calling thread until the future is resolved.
  ///
  /// Returns as soon as the outcome is there, before handlers run: to wait for them, too, await ``handlersFinished``. A
  /// wait that could never end stops the program with a message: one for a pending future on its own private queue, and
  /// one for ``CancelToken/never``. Don't block a thread of a global queue for work that needs the same pool.
  ///
  /// - Returns: The outcome.
  @inlinable
  @_disfavoredOverload
  @available(*, noasync, message: "it blocks the thread; await `outcome` or `value`")
  public func wait() -> Future.Outcome { cancelToken.future.waitForOutcome() }

  /// Blocks the calling thread until the future is resolved, but not longer than the given time.
  ///
  /// Like ``wait()``, but it always ends, and leaves nothing behind at the future when it gives up.
  ///
  /// - Parameter timeout: How long, measured as `DispatchTime` does. Zero or less doesn't wait.
  /// - Returns: The outcome; nil if the future is still pending.
  @inlinable
  @_disfavoredOverload
  @available(*, noasync, message: "it blocks the thread; await `outcome` or `value`")
  public func wait(timeout: Duration) -> Future.Outcome? { cancelToken.future.waitForOutcome(timeout: timeout) }
}

// MARK: - Await

extension CancellableWork {
  /// Suspends until the future is completed; throws if it is cancelled.
  ///
  /// If the awaiting task is cancelled while the future is pending, it leaves at once with `CancellationError` and
  /// leaves nothing behind; the future and whoever else waits for it are untouched. A future that is completed already
  /// returns also in a cancelled task.
  ///
  /// - Throws: ``cancellationReason``, or `CancellationError` because the awaiting task was cancelled.
  @inlinable
  public var value: Void {
    get async throws { try await cancelToken.future.completed }
  }

  /// Suspends until the future is resolved.
  ///
  /// As it can't throw, cancelling the awaiting task doesn't end the wait: use ``value`` where it should. Where the task
  /// waits to be handed something exactly once, let its cancellation handler cancel the future and await this: then
  /// `tryComplete` tells the giver whether it was taken. It doesn't start a lazy future.
  @inlinable
  public var outcome: Future.Outcome {
    get async { await cancelToken.future.resolvedOutcome }
  }

  /// Suspends until the future is resolved and all its handlers have returned, in whichever context they ran, and
  /// everything that keeps it open has ended.
  ///
  /// What keeps it open are activities (``beginActivity(_:fileID:line:)``), the tasks of asynchronous handlers, and work
  /// that the library runs: background and lazy work, tasks, operations, child processes. Handlers that are added while
  /// others still run are waited for as well; one that is added when all have returned isn't, nor is what handlers in turn
  /// started elsewhere. Cancelling the awaiting task doesn't end the wait: ``drain(within:)`` ends at its time, and names
  /// what is left.
  @inlinable
  public var handlersFinished: Future.Outcome {
    get async { await cancelToken.future.outcomeOfHandlers }
  }
}
