// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// MARK: - Await

extension CancellableWork {
  /// Suspends until completion; doesn't cancel the work when the task is cancelled, but ``ownedValue`` does.
  ///
  /// The task resumes on its own executor, before the first handler starts. If it is cancelled while the future is
  /// pending, it continues at once, and the future isn't affected; a completed future also returns in a cancelled task.
  /// See <doc:Pitfalls#Five-waits>.
  ///
  /// - Throws: ``cancellationReason``, or `CancellationError` because the awaiting task was cancelled.
  @inlinable
  public var value: Void {
    get async throws { try await cancelToken.future.completed }
  }

  /// Suspends until the future is resolved.
  ///
  /// The task resumes on its own executor, before the first handler starts. Cancelling the task doesn't end the wait,
  /// which can't throw: use ``value`` where it should. A lazy future isn't started. See <doc:Pitfalls#Five-waits>.
  ///
  /// If a task waits to receive something exactly once, let its cancellation handler cancel the future, and await the
  /// outcome: the result of `tryComplete` then tells the sender whether the task received it.
  @inlinable
  public var outcome: Future.Outcome {
    get async { await cancelToken.future.resolvedOutcome }
  }

  /// Suspends until the future is resolved and all its handlers have returned, in any context, and everything that
  /// keeps it open has ended.
  ///
  /// The task resumes on its own executor. Cancelling it doesn't end the wait: ``drain(within:)`` ends after its
  /// timeout, and names what is left. See <doc:Pitfalls#Five-waits>.
  ///
  /// The future is kept open by activities (``beginActivity(_:fileID:line:)``), the tasks of asynchronous handlers, and
  /// work run by the library: background and lazy work, tasks, operations, URL transfers, child processes. Handlers
  /// added while others still run are also waited for; work that handlers started elsewhere isn't.
  @inlinable
  public var handlersFinished: Future.Outcome {
    get async { await cancelToken.future.outcomeOfHandlers }
  }
}
