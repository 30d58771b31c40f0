// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// MARK: - Link

extension CancellableWork {
  /// Passes a cancellation of this future on to another one, with the same reason.
  ///
  /// If this future is already cancelled, the other one is cancelled at once. A completion isn't passed on. When either
  /// is resolved or released, the link is removed from both. While both are pending, the other future keeps this one
  /// alive, not vice versa, so that no cancellation is lost when a future in the middle has no other reference. A cycle
  /// of cascades keeps itself alive until one of its futures is resolved. Linking a future to itself has no effect.
  ///
  /// In RXFuture the source keeps the target; so a shutdown token keeps everything that was ever linked to it.
  ///
  /// - Parameter other: The work to cancel. If its future has a queued `perform` block, the cancellation follows that
  ///   block.
  @inlinable
  public func cascadeCancellation(to other: some CancellableWork) {
    other.cancelToken.future.link(to: cancelToken)
  }
}

extension Future {
  /// Links this future to a parent whose cancellation cancels it.
  @usableFromInline
  func link(to parent: CancelToken) {
    parent.future.connect(Link(.cascade, from: parent.future, to: self, keeping: .source), to: self)
  }
}
