// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// MARK: - Complete

extension Future {
  /// Completes the future, if it is still pending when this call takes its turn.
  ///
  /// It can be called from any thread and any number of times. Never blocks: the turn is taken at once on the calling
  /// thread, where inline handlers then run before this returns; if a ``CancellableWork/perform(_:)`` block waits or
  /// runs, the turn is taken after it on the private queue. Called by that block itself it decides in place, and the
  /// handlers start when the block has returned.
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
