// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// How long tasks mean to sleep.
///
/// The runtime tells an instant: the time at which the task asked, plus what it means to sleep. The explorer knows when
/// the task's step began and what time it is now; in between the system may have held up the thread. If that took less
/// than a millisecond, the time that is meant is clear, in full milliseconds. If it took longer, there is only a range;
/// then it is what the same sleep took in another order, which had no such delay. Else a busy machine would change the
/// scenario.
///
/// `@unchecked Sendable`: used on the one thread on which an exploration runs all orders.
final class SleepTimes: @unchecked Sendable {
  /// One sleep: the one with this number of its line.
  struct Sleep: Hashable {
    let line: Int
    let number: Int
  }

  private var known: [Sleep: Duration] = [:]

  /// The time that is meant, of which `left` is still to come since the step began `elapsed` ago.
  func time(of sleep: Sleep, left: Duration, elapsed: Duration) -> Duration {
    let tick = Duration.milliseconds(1)
    guard elapsed >= tick else {
      let time = left.roundedUp
      known[sleep] = time
      return time
    }
    if let time = known[sleep], left <= time, time <= left + elapsed { return time }
    return max(left.roundedUp, tick)
  }
}

extension Duration {
  /// A duration of which a moment has passed while it was computed, as it was meant: full milliseconds.
  var roundedUp: Duration {
    let milliseconds = self / .milliseconds(1)
    return .milliseconds(Int(milliseconds.rounded(.up)))
  }
}
