// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

package import Dispatch

extension Duration {
  /// Whether it is short enough to pass, in effect: 136 years.
  var passes: Bool { self < .seconds(Int64(1) << 32) }
}

extension DispatchTime {
  /// The time when a duration from now has passed: now, if it is zero or negative.
  ///
  /// The one place where a `Duration` becomes something of Dispatch. It never traps: what Dispatch can't count, over a
  /// century, never passes. A part of a nanosecond is a whole one.
  package static func after(_ duration: Duration) -> DispatchTime {
    let now = DispatchTime.now()
    guard duration > .zero else { return now }
    guard duration.passes else { return .distantFuture }
    let (seconds, attoseconds) = duration.components
    let nanoseconds = UInt64(seconds) * 1_000_000_000 + UInt64((attoseconds + 999_999_999) / 1_000_000_000)
    // Below 2^62, above which Dispatch has other clocks.
    return DispatchTime(uptimeNanoseconds: now.uptimeNanoseconds + nanoseconds)
  }
}
