// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// MARK: - Await work that ends with the task

extension CancellableWork {
  /// Suspends until the future is completed, and cancels it if the awaiting task is cancelled.
  ///
  /// For work that nobody else waits for:
  ///
  /// ```swift
  /// try await save(document).ownedValue
  /// ```
  ///
  /// The task's cancellation cancels the future, with `CancellationError`, on the thread that cancels the task: inline
  /// handlers run there, under a lock of the Swift runtime, so they must not wait for anything that a cancellation may
  /// have to get past. The wait ends with the future's outcome: at once or, if a `perform` block waits or runs, after
  /// that. If a completion comes first, this returns, also in a cancelled task. ``CancelToken/never`` can't be cancelled:
  /// the task leaves it at once, with `CancellationError`. To leave the work alone use ``value``.
  ///
  /// - Throws: ``cancellationReason``.
  public var ownedValue: Void {
    get async throws {
      let token = cancelToken
      // It can't be cancelled: the task leaves it alone.
      if token.future.isUnresolvable { return try await token.future.completed }
      if let reason = await token.resolvedByTask.reason { throw reason }
    }
  }
}

extension ValueFuture {
  /// Suspends until there is a value, returns it, and cancels the future if the awaiting task is cancelled.
  ///
  /// For work that nobody else waits for:
  ///
  /// ```swift
  /// let page = try await session.dataFuture(from: url).ownedValue
  /// ```
  ///
  /// Like ``CancellableWork/ownedValue``. It starts a lazy future, on a global queue, unless the task is cancelled. If
  /// completion and the task's cancellation coincide, this either returns the value, or the code that completes is told
  /// that it came too late: by `tryComplete`, or because the value goes to `onUndelivered`. To leave the work alone use
  /// ``value``.
  ///
  /// - Throws: The error of a failure, or the reason of a cancellation.
  public var ownedValue: Value {
    get async throws {
      if lazyWork != nil, !Task.isCancelled { demand() }
      return try await cancelToken.resolvedByTask.get(Value.self)
    }
  }
}

extension CancelToken {
  /// Waits for the resolution; the cancellation of the task cancels the future, so the wait has no other way to end.
  fileprivate var resolvedByTask: Resolution {
    get async {
      // In a task that is already cancelled the handler runs first.
      await withTaskCancellationHandler {
        await future.resolved
      } onCancel: {
        // It may be the work of a task that awaits the next, and so on (law L10).
        Trampoline.run { cancel() }
      }
    }
  }
}
