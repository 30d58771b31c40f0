// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The intended durations of the sleeps of tasks.
///
/// The runtime passes an instant: the time of the request plus the duration of the sleep. The explorer knows the time
/// at which the task's step began, and the current time; in between the system may have delayed the thread. If that
/// took less than a millisecond, the intended duration is clear, in full milliseconds. If it took longer, there is only
/// a range; then it is the duration of the same sleep in another order, which had no such delay, and in the first order
/// the roundest one, which is what people write. Otherwise a busy machine would change the scenario.
///
/// `@unchecked Sendable`: used on the one thread on which an exploration runs all orders.
final class SleepTimes: @unchecked Sendable {
  /// One sleep, identified by its line and its number there.
  struct Sleep: Hashable {
    let line: Int
    let number: Int
  }

  private var known: [Sleep: Duration] = [:]

  /// Returns the intended duration, of which `left` remains; the step began `elapsed` ago.
  func time(of sleep: Sleep, left: Duration, elapsed: Duration) -> Duration {
    let tick = Duration.milliseconds(1)
    guard elapsed >= tick else {
      let time = left.roundedUp
      known[sleep] = time
      return time
    }
    if let time = known[sleep], left <= time, time <= left + elapsed { return time }
    let time = Self.roundest(from: max(left, tick), to: left + elapsed)
    if known[sleep] == nil { known[sleep] = time }
    return time
  }

  /// Returns the multiple of the largest usual unit that is in the range.
  private static func roundest(from low: Duration, to high: Duration) -> Duration {
    for milliseconds in [1_000, 500, 100, 50, 10, 5] {
      let unit = Duration.milliseconds(milliseconds)
      let time = unit * Int((low / unit).rounded(.up))
      if time <= high { return time }
    }
    return low.roundedUp
  }
}

extension Duration {
  /// The duration rounded up to full milliseconds, as it was intended: a moment has passed while it was computed.
  var roundedUp: Duration {
    let milliseconds = self / .milliseconds(1)
    return .milliseconds(Int(milliseconds.rounded(.up)))
  }
}
