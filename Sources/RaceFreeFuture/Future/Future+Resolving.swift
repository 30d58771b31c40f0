// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// MARK: - Resolve

extension Future {
  /// Completes the future, if it is still pending when this call takes its turn.
  ///
  /// Callable from any thread and any number of times. Never blocks: the turn is taken at once on the calling thread,
  /// where inline handlers then run before this returns; if a ``perform(_:)`` block waits or runs, it is taken
  /// behind that on the private queue.
  public func complete() {
    decide(.completed)
  }

  /// Cancels the future, if it is still pending when this call takes its turn.
  ///
  /// Callable from any thread and any number of times. Never blocks: the turn is taken at once on the calling thread,
  /// where inline handlers then run before this returns; if a ``perform(_:)`` block waits or runs, it is taken
  /// behind that on the private queue. Every future that is linked to this one is marked cancelled, too, before the
  /// first handler runs.
  ///
  /// - Parameter reason: Why: kept in ``cancellationReason``, handed to handlers and thrown to those who await
  ///   ``value``. It is kept as long as the future; a reason that holds its own future is a cycle.
  public func cancel(throwing reason: any Error = CancellationError()) {
    decide(.cancelled(reason))
  }

  /// Adds a completion handler on the private queue, then completes.
  ///
  /// The same as ``onComplete(on:_:)-(HandlerContext,_)`` followed by ``complete()``: the shortest way to hand a result
  /// to a callback that a cancelled future must not call.
  ///
  /// - Parameter handler: Runs once, on the private queue, if the outcome is a completion, whoever caused it; else it
  ///   is released.
  public func complete(_ handler: @escaping @Sendable () -> Void) {
    onComplete(handler)
    complete()
  }

  /// Adds a cancellation handler on the private queue, then cancels.
  ///
  /// The same as ``onCancel(on:_:)-(HandlerContext,()->Void)`` followed by ``cancel(throwing:)``.
  ///
  /// - Parameter handler: Runs once, on the private queue, if the outcome is a cancellation, whoever caused it; else it
  ///   is released.
  public func cancel(_ handler: @escaping @Sendable () -> Void) {
    onCancel(handler)
    cancel()
  }

  /// Completes the future and tells whether this very call did it.
  ///
  /// Takes its turn like ``complete()``. Waits only while a `perform` block is in line before it, or a decision behind
  /// one with its inline handlers; called from inside a block or handler on this future's private queue it decides in
  /// place, and the handlers start when that block has returned. As it may wait, don't call it in a task's cancellation
  /// handler. In asynchronous functions it may be called: what it waits for are blocks that are running or ready to
  /// run, and no event.
  ///
  /// - Returns: Whether this call decided the outcome. Of all `try…` calls for one future at most one gets true; none
  ///   does if another call, a timer or a link decided.
  @discardableResult
  public func tryComplete() -> Bool {
    decideAndWait(.completed)
  }

  /// Cancels the future and tells whether this very call did it.
  ///
  /// Takes its turn like ``cancel(throwing:)``. Waits only while a `perform` block is in line before it, or a decision
  /// behind one with its inline handlers; called from inside a block or handler on this future's private queue it
  /// decides in place, and the handlers start when that block has returned. As it may wait, don't call it in a task's
  /// cancellation handler. In asynchronous functions it may be called: what it waits for are blocks that are running or
  /// ready to run, and no event.
  ///
  /// - Parameter reason: Why; see ``cancel(throwing:)``.
  /// - Returns: Whether this call decided the outcome. Of all `try…` calls for one future at most one gets true; none
  ///   does if another call, a timer or a link decided.
  @discardableResult
  public func tryCancel(throwing reason: any Error = CancellationError()) -> Bool {
    decideAndWait(.cancelled(reason))
  }
}
