// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Dispatch

extension Future {
  /// Activates the source, and cancels it at the outcome or when the future is released.
  func attachSource(_ source: any DispatchSourceProtocol) {
    if !isUnresolvable {
      let attached = CancelledWhenReleased(source)
      onCleanUp(on: .inline) { attached.cancel() }
    }
    // Even when it has been cancelled: an inactive source never calls its cancel handler, and can't be released.
    source.activate()
  }
}
