// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// MARK: - Complete

extension Future {
  /// Completes the future, if it is still pending when this call takes its turn.
  ///
  /// Callable from any thread and any number of times. Never blocks: the turn is taken at once on the calling thread,
  /// where inline handlers then run before this returns; if a ``perform(_:)`` block waits or runs, it is taken
  /// behind that on the private queue.
  public func complete() {
    decide(.completed)
  }

  /// Adds a completion handler on the private queue, then completes.
  ///
  /// The same as ``CancellableWork/onComplete(on:_:)-(_,()->Void)`` followed by ``complete()``: the shortest way to hand
  /// a result to a callback that a cancelled future must not call.
  ///
  /// - Parameter handler: Runs once, on the private queue, if the outcome is a completion, whoever caused it; else it
  ///   is released.
  public func complete(_ handler: @escaping @Sendable () -> Void) {
    onComplete(handler)
    complete()
  }

  /// Completes the future and tells whether this very call did it.
  ///
  /// Takes its turn like ``complete()``. It waits, and may be called, where ``CancellableWork/tryCancel(throwing:fileID:line:)``
  /// does and may.
  ///
  /// - Returns: Whether this call decided the outcome. Of all `try…` calls for one future at most one gets true; none
  ///   does if another call, a timer or a link decided.
  @discardableResult
  public func tryComplete() -> Bool {
    decideAndWait(.completed)
  }
}

// MARK: - Cancel

// What `CancellableWork` calls.
extension Future {
  @usableFromInline
  func decideCancelled(_ reason: any Error, _ fileID: StaticString, _ line: UInt) {
    decide(.cancelled(reason, at: CancellationSites.site(fileID, line)))
  }

  @usableFromInline
  func decideCancelledAndWait(_ reason: any Error, _ fileID: StaticString, _ line: UInt) -> Bool {
    decideAndWait(.cancelled(reason, at: CancellationSites.site(fileID, line)))
  }
}
