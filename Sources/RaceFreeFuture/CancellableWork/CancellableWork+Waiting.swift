// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// MARK: - Wait

// Disfavoured: `try? future.wait(timeout: limit)` of a value future would otherwise mean the outcome, which is already
// optional, and not the value.
extension CancellableWork {
  /// Blocks the calling thread until the future is resolved.
  ///
  /// Returns as soon as there is an outcome, before handlers run: to also wait for these, await ``handlersFinished``. A
  /// wait that could never end stops the program with a message: one for a pending future on its own private queue, and
  /// one for ``CancelToken/never``. Don't block a thread of a global queue for work that needs the same pool.
  ///
  /// - Returns: The outcome.
  @inlinable
  @_disfavoredOverload
  @available(*, noasync, message: "it blocks the thread; await `outcome` or `value`")
  public func wait() -> Future.Outcome { cancelToken.future.waitForOutcome() }

  /// Blocks the calling thread until the future is resolved or a timeout has passed.
  ///
  /// Like ``wait()``, but it always ends, and leaves nothing registered with the future when it times out.
  ///
  /// - Parameter timeout: The longest time to wait, measured by `DispatchTime`. Zero or less doesn't wait.
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
  /// If the awaiting task is cancelled while the future is pending, the task continues at once with `CancellationError`
  /// and leaves nothing registered; the future and others that wait for it aren't affected. If the future is already
  /// completed, this also returns in a cancelled task.
  ///
  /// - Throws: ``cancellationReason``, or `CancellationError` because the awaiting task was cancelled.
  @inlinable
  public var value: Void {
    get async throws { try await cancelToken.future.completed }
  }

  /// Suspends until the future is resolved.
  ///
  /// As it can't throw, cancelling the awaiting task doesn't end the wait: use ``value`` where it should. Where a task
  /// waits to receive something exactly once, let its cancellation handler cancel the future and await this: the result
  /// of `tryComplete` then tells the sender whether it was received. It doesn't start a lazy future.
  @inlinable
  public var outcome: Future.Outcome {
    get async { await cancelToken.future.resolvedOutcome }
  }

  /// Suspends until the future is resolved and all its handlers have returned, in any context, and everything that
  /// keeps it open has ended.
  ///
  /// It is kept open by activities (``beginActivity(_:fileID:line:)``), the tasks of asynchronous handlers, and work
  /// run by the library: background and lazy work, tasks, operations and URL transfers. Handlers added
  /// while others still run are also waited for; one added when all have returned isn't, nor is work that handlers
  /// started elsewhere. Cancelling the awaiting task doesn't end the wait: ``drain(within:)`` ends after its timeout,
  /// and names what is left.
  @inlinable
  public var handlersFinished: Future.Outcome {
    get async { await cancelToken.future.outcomeOfHandlers }
  }
}
