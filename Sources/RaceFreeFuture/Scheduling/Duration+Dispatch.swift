// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

package import Dispatch

extension Duration {
  /// True if it is short enough to pass at all: below 136 years.
  var passes: Bool { self < Self.century }

  /// The same duration, or twice 136 years if it is longer, in either direction: so it can be added to an instant
  /// without overflow, and a duration that is too long to pass stays so.
  var clamped: Duration { max(.zero - Self.longest, min(self, Self.longest)) }

  private static let century = Duration.seconds(Int64(1) << 32)
  fileprivate static let longest = century * 2

  /// The same duration, rounded up to whole nanoseconds.
  var wholeNanoseconds: Duration {
    let (_, attoseconds) = components
    let part = attoseconds % 1_000_000_000
    return part > 0 ? self + Duration(secondsComponent: 0, attosecondsComponent: 1_000_000_000 - part) : self
  }
}

extension ContinuousClock.Instant {
  /// The same instant, or the nearest one within twice 136 years from now: so the two can be subtracted without
  /// overflow.
  func clamped(around now: Self) -> Self {
    max(now.advanced(by: .zero - .longest), min(self, now.advanced(by: .longest)))
  }
}

extension DispatchTime {
  /// The time at which a duration from now has passed: now, if it is zero or negative.
  ///
  /// The one place where a `Duration` is converted for Dispatch. It never traps: a duration that Dispatch can't
  /// represent, over a century, never passes. It is rounded up to whole nanoseconds.
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
