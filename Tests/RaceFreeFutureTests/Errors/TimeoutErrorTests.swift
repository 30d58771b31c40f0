// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFuture
import TestSupport
import Testing

@Suite struct TimeoutErrorTests {
  @Test(
    arguments: zip(
      [DispatchTimeInterval.seconds(3), .milliseconds(250), .microseconds(7), .nanoseconds(9), .never],
      ["3 s", "250 ms", "7 µs", "9 ns", "never"]
    )
  )
  func `it says how long and what`(_ interval: DispatchTimeInterval, _ text: String) {
    let error = TimeoutError(interval: interval, label: "download")
    #expect(error.interval == interval)
    #expect(error.label == "download")
    #expect(error.description == "timed out after \(text): download")
  }

  @Test func `errors with the same interval and label are equal`() {
    let error = TimeoutError(interval: .seconds(1), label: "a")
    #expect(error == TimeoutError(interval: .milliseconds(1_000), label: "a"))
    #expect(error != TimeoutError(interval: .seconds(2), label: "a"))
    #expect(error != TimeoutError(interval: .seconds(1), label: "b"))
  }
}
