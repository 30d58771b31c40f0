// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// MARK: - Cancel

extension CancellableWork {
  /// Cancels the future, unless it is already resolved.
  ///
  /// Inline handlers run on the calling thread, before this returns. Never blocks, and can be called any number of times.
  /// Every future that is linked to this one is also marked cancelled before the first handler runs.
  ///
  /// If a `perform` block waits or runs, the cancellation has its turn after that block, on the private queue. A call by
  /// the block itself decides in place, and everything else follows when the block has returned.
  ///
  /// - Parameter reason: The reason: kept in ``cancellationReason``, passed to handlers and thrown from waiting calls.
  ///   It is kept as long as the future; a reason that references its own future forms a cycle.
  @inlinable
  public func cancel(
    throwing reason: any Error = CancellationError(),
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) {
    cancelToken.future.decideCancelled(reason, fileID, line)
  }

  /// Adds a cancellation handler on the private queue, then cancels.
  ///
  /// Equivalent to ``onCancel(on:_:)-(_,()->Void)`` followed by ``cancel(throwing:fileID:line:)``.
  ///
  /// - Parameter handler: Runs once, on the private queue, if the outcome is a cancellation, whatever its cause;
  ///   otherwise it is released.
  public func cancel(
    _ handler: @escaping @Sendable () -> Void,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) {
    onCancel(handler)
    cancel(fileID: fileID, line: line)
  }

  /// Cancels the future and returns whether this call did so.
  ///
  /// Takes its turn like ``cancel(throwing:fileID:line:)``. Waits only while a `perform` block is queued before it, or
  /// while a decision queued behind such a block runs its inline handlers; a call from inside a block or handler on the
  /// future's private queue decides in place, and the handlers start when that block has returned. It may be called in
  /// asynchronous functions, because it waits only for blocks that are running or ready to run; but not in a task's
  /// cancellation handler. Blocks that call it on each other's future wait forever.
  ///
  /// - Parameter reason: The reason; see ``cancel(throwing:fileID:line:)``.
  /// - Returns: True if this call decided the outcome. Of all `try…` calls on one future at most one returns true; none
  ///   does if another call, a timer or a link decided.
  @inlinable
  @discardableResult
  public func tryCancel(
    throwing reason: any Error = CancellationError(),
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Bool {
    cancelToken.future.decideCancelledAndWait(reason, fileID, line)
  }
}

extension Future {
  @usableFromInline
  func decideCancelled(_ reason: any Error, _ fileID: StaticString, _ line: UInt) {
    decide(.cancelled(reason, at: Observation.site(fileID, line)))
  }

  @usableFromInline
  func decideCancelledAndWait(_ reason: any Error, _ fileID: StaticString, _ line: UInt) -> Bool {
    decideAndWait(.cancelled(reason, at: Observation.site(fileID, line)))
  }
}
