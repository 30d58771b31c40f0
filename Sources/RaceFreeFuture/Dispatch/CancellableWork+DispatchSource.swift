// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

public import Dispatch

extension CancellableWork {
  /// Cancels a dispatch source when the future is resolved, whatever the outcome; clean up in the source's own cancel
  /// handler.
  ///
  /// Set the source's handlers first: this method activates the source. A descriptor that the source watches is closed
  /// in its cancel handler, which Dispatch calls once and not before the last event handler has returned; so `cancel`
  /// and `complete` can be called any number of times, and nothing is closed twice. If the future is resolved already,
  /// the source is cancelled at once. If the future is released while it is pending, the source is cancelled as well.
  /// Cancelling the source itself doesn't affect the future. ``CancelToken/never`` only activates it: there is no
  /// outcome, so the source lives as long as you keep it.
  ///
  /// - Parameter source: The source. It is kept until the outcome; ``CancelToken/never`` doesn't keep it.
  public func attach(_ source: any DispatchSourceProtocol) {
    if !cancelToken.future.isUnresolvable {
      let attached = CancelledWhenReleased(source)
      onCleanUp(on: .inline) { attached.cancel() }
    }
    // Even when it has been cancelled: an inactive source never calls its cancel handler, and can't be released.
    source.activate()
  }
}
