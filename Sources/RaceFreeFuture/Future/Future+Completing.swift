// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// MARK: - Complete

extension Future {
  /// Completes the future, unless it is already resolved.
  ///
  /// Inline handlers run on the calling thread, before this returns. Never blocks, and can be called from any thread and any
  /// number of times.
  ///
  /// If a ``CancellableWork/perform(_:)`` block waits or runs, the completion has its turn after that block, on the private
  /// queue. A call by the block itself decides in place, and the handlers start when the block has returned.
  public func complete() {
    decide(.completed)
  }

  /// Adds a completion handler on the private queue, then completes.
  ///
  /// Equivalent to ``CancellableWork/onComplete(on:_:)-(_,()->Void)`` followed by ``complete()``: the shortest way to
  /// pass a result to a callback that must not be called after a cancellation.
  ///
  /// - Parameter handler: Runs once, on the private queue, if the outcome is a completion, whatever its cause;
  ///   otherwise it is released.
  public func complete(_ handler: @escaping @Sendable () -> Void) {
    onComplete(handler)
    complete()
  }

  /// Completes the future and returns whether this call did so.
  ///
  /// Takes its turn like ``complete()``. For when it waits, and where it may be called, see
  /// ``CancellableWork/tryCancel(throwing:fileID:line:)``.
  ///
  /// - Returns: True if this call decided the outcome. Of all `try…` calls on one future at most one returns true; none
  ///   does if another call, a timer or a link decided.
  @discardableResult
  public func tryComplete() -> Bool {
    decideAndWait(.completed)
  }
}
