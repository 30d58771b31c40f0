// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// MARK: - Cancel

extension CancellableWork {
  /// Cancels the future, if it is still pending when this call takes its turn.
  ///
  /// Any number of calls may be made. The turn is taken at once on the calling thread, where inline handlers then run
  /// before this returns; if a `perform` block waits or runs, it is taken behind that on the private queue. Every future
  /// that is linked to this one is marked cancelled, too, before the first handler runs.
  ///
  /// - Parameters:
  ///   - reason: The reason: kept in ``cancellationReason``, handed to handlers and thrown to those who wait. It is kept
  ///     as long as the future; a reason that holds its own future is a cycle.
  ///   - fileID: Leave it out: the file of the call, for ``cancellationSite``.
  ///   - line: Leave it out: the line of the call.
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
  /// The same as ``onCancel(on:_:)-(_,()->Void)`` followed by ``cancel(throwing:fileID:line:)``.
  ///
  /// - Parameters:
  ///   - handler: Runs once, on the private queue, if the outcome is a cancellation, whoever caused it; else it is
  ///     released.
  ///   - fileID: Leave it out: the file of the call, for ``cancellationSite``.
  ///   - line: Leave it out: the line of the call.
  public func cancel(
    _ handler: @escaping @Sendable () -> Void,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) {
    onCancel(handler)
    cancel(fileID: fileID, line: line)
  }

  /// Cancels the future and tells whether this very call did it.
  ///
  /// Takes its turn like ``cancel(throwing:fileID:line:)``. Waits only while a `perform` block is in line before it, or a decision
  /// behind one with its inline handlers; called from inside a block or handler on the future's private queue it decides
  /// in place, and the handlers start when that block has returned. As it may wait, don't call it in a task's
  /// cancellation handler. In asynchronous functions it may be called: what it waits for are blocks that are running or
  /// ready to run, and no event.
  ///
  /// - Parameters:
  ///   - reason: The reason; see ``cancel(throwing:fileID:line:)``.
  ///   - fileID: Leave it out: the file of the call, for ``cancellationSite``.
  ///   - line: Leave it out: the line of the call.
  /// - Returns: Whether this call decided the outcome. Of all `try…` calls for one future at most one gets true; none
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
