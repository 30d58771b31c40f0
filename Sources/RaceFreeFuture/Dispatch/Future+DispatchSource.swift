// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

public import Dispatch

extension Future {
  /// Cancels a dispatch source at this future's outcome, whichever it is: the source's own cancel handler is the place
  /// to clean up.
  ///
  /// Set the source's handlers before: this activates it. A descriptor that the source watches is closed in its cancel
  /// handler, which Dispatch calls once and not before the last event handler has returned; so `cancel` and `complete`
  /// can be called as often as you like, and nothing is closed twice. If the future is resolved already, the source is
  /// cancelled at once. If the future is released while it is pending, the source is cancelled as well. Cancelling the
  /// source itself says nothing to the future. ``never`` only activates it: there is no outcome, so the source lives as
  /// long as you keep it.
  ///
  /// - Parameter source: It is kept until the outcome, and not at all by ``never``.
  public func attach(_ source: any DispatchSourceProtocol) {
    if !isUnresolvable {
      let attached = CancelledWhenReleased(source)
      onCleanUp(on: .inline) { attached.cancel() }
    }
    // Also when it has been cancelled: an inactive source never calls its cancel handler, and can't be released.
    source.activate()
  }
}
