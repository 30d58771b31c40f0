// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// MARK: - Await

extension CancellableWork {
  /// Suspends until completion; doesn't cancel the work when the task is cancelled, but ``ownedValue`` does.
  ///
  /// If the awaiting task is cancelled while the future is pending, the task continues at once with `CancellationError`
  /// and leaves nothing registered; the future and others that wait for it aren't affected, as with `value` of a `Task`. If
  /// the future is already completed, this also returns in a cancelled task.
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
  /// run by the library: background and lazy work, tasks, operations, URL transfers, child processes. Handlers added
  /// while others still run are also waited for; one added when all have returned isn't, nor is work that handlers
  /// started elsewhere. Cancelling the awaiting task doesn't end the wait: ``drain(within:)`` ends after its timeout,
  /// and names what is left.
  @inlinable
  public var handlersFinished: Future.Outcome {
    get async { await cancelToken.future.outcomeOfHandlers }
  }
}
