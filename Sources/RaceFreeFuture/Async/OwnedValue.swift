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
  /// Inline handlers of that cancellation run on the thread that cancels the task, under a lock of the Swift runtime:
  /// they must not wait for a lock or queue that another cancellation handler may hold. The wait ends with the future's
  /// outcome: at once or, if a `perform` block waits or runs, after that. If a completion comes first, this returns,
  /// also in a cancelled task. A cancelled task leaves ``CancelToken/never`` at once. To leave the work alone use
  /// ``value``.
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
  /// Like ``CancellableWork/ownedValue``. This starts a lazy future, on a global queue, unless the task is cancelled.
  /// If completion and the task's cancellation coincide, either the value is returned, or the code that completes
  /// learns that it came too late: by `tryComplete` or `onUndelivered`.
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
