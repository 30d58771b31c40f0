// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// MARK: - Link

extension CancellableWork {
  /// From now on, when this future is cancelled the other one is cancelled as well, for the same reason.
  ///
  /// If this future is cancelled already, the other one is at once. A completion passes nothing on. When either is
  /// resolved or released, the link is taken off both. The other future keeps this one alive while both are pending, so
  /// no cancellation is lost because nobody else holds a future in the middle; this one doesn't keep the other. So a
  /// cycle of cascades keeps itself until one of them is resolved. Linking a future to itself does nothing.
  ///
  /// In RXFuture the source keeps the target; so a shutdown token kept everything that ever was linked to it.
  ///
  /// - Parameter other: The work that follows. If its future has a `perform` block in line it follows behind it.
  @inlinable
  public func cascadeCancellation(to other: some CancellableWork) {
    other.cancelToken.future.link(to: cancelToken)
  }
}
