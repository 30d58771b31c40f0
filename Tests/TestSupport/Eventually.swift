// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch

/// Suspends until a condition holds that is going to; false if it doesn't for five minutes.
///
/// For what somebody else does in their own time, like Dispatch releasing what a cancelled timer kept. It can't show
/// that something did *not* happen.
package func eventually(_ condition: () -> Bool) async -> Bool {
  let deadline = DispatchTime.now() + .seconds(300)
  while !condition() {
    if DispatchTime.now() > deadline { return false }
    await Task.yield()
  }
  return true
}
