// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting
import Testing

@testable import RaceFreeFutureExploring

@Suite struct SleepTimesTests {
  private let sleep = SleepTimes.Sleep(line: 1, number: 0)

  @Test func `a sleep of which a moment has passed is full milliseconds`() {
    let times = SleepTimes()
    for (left, time) in [(999_950, 1), (4_999_200, 5), (-20_000, 0)] {
      let found = times.time(of: sleep, left: .nanoseconds(left), elapsed: .microseconds(30))
      #expect(found == .milliseconds(time))
    }
  }

  @Test func `a thread that was held up changes no sleep that is known from another order`() {
    let times = SleepTimes()
    _ = times.time(of: sleep, left: .microseconds(999), elapsed: .microseconds(30))
    // Held up after the instant was computed, or before.
    for left in [-7_000, 998] {
      #expect(times.time(of: sleep, left: .microseconds(left), elapsed: .milliseconds(8)) == .milliseconds(1))
    }
    // It can't be the same one.
    #expect(times.time(of: sleep, left: .milliseconds(50), elapsed: .milliseconds(8)) == .milliseconds(50))
  }

  @Test func `a sleep of which nothing is known is the roundest one, in later orders too`() {
    for (left, time) in [(997, 1_000), (244, 250), (43, 50), (7, 10)] {
      let times = SleepTimes()
      #expect(times.time(of: sleep, left: .milliseconds(left), elapsed: .milliseconds(8)) == .milliseconds(time))
      // Held up less, and it can't be told either.
      let later = Duration.milliseconds(time) - .microseconds(100)
      #expect(times.time(of: sleep, left: later, elapsed: .milliseconds(2)) == .milliseconds(time))
    }
  }

  @Test func `a sleep of which nothing is known still is one`() {
    #expect(SleepTimes().time(of: sleep, left: .milliseconds(-7), elapsed: .milliseconds(8)) == .milliseconds(1))
  }
}
