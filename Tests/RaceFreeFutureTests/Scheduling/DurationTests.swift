// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFuture
import Testing

@Suite struct DurationTests {
  @Test(arguments: [Duration.zero, .nanoseconds(-1), .seconds(Int64.min)])
  func `zero and less is now`(_ duration: Duration) {
    let before = DispatchTime.now()
    let time = DispatchTime.after(duration)
    #expect(before <= time && time <= .now())
  }

  @Test func `a time is so many nanoseconds from now`() {
    let (before, time, after) = (DispatchTime.now(), DispatchTime.after(.seconds(1.5)), DispatchTime.now())
    #expect(time.uptimeNanoseconds >= before.uptimeNanoseconds + 1_500_000_000)
    #expect(time.uptimeNanoseconds <= after.uptimeNanoseconds + 1_500_000_000)
  }

  @Test func `a part of a nanosecond is a whole one`() {
    let before = DispatchTime.now()
    #expect(DispatchTime.after(Duration(secondsComponent: 0, attosecondsComponent: 1)) > before)
  }

  @Test(arguments: [Duration.seconds(Int64.max), .seconds(Int64(1) << 32), .milliseconds(Int64.max)])
  func `what Dispatch can't count never passes`(_ duration: Duration) {
    #expect(DispatchTime.after(duration) == .distantFuture)
  }

  @Test func `a hundred years pass`() {
    let century = Duration.seconds(100 * 365 * 86_400)
    #expect(DispatchTime.after(century) < .distantFuture)
    #expect(DispatchTime.after(century).uptimeNanoseconds > UInt64(100 * 365 * 86_400) * 1_000_000_000)
  }
}
