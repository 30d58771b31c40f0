// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFuture
import TestSupport
import Testing

@Suite struct TimeoutErrorTests {
  @Test(
    arguments: zip(
      [
        Duration.seconds(3), .milliseconds(250), .microseconds(7), .nanoseconds(9), .milliseconds(1_500),
        .nanoseconds(1_234_567), .seconds(2.8), .seconds(60), .seconds(5_430), .zero, .milliseconds(-20),
        .seconds(Int64.max),
        .seconds(Int64.min), Duration(attoseconds: .max), Duration(attoseconds: .min),
      ],
      [
        "3 s", "250 ms", "7 µs", "9 ns", "1.5 s", "1.235 ms", "2.8 s", "1 min", "1 h 30 min 30 s", "0 s", "-20 ms",
        "2562047788015215 h 30 min 7 s", "-2562047788015215 h 30 min 7 s", "2562047788015215 h 30 min 7 s",
        "-2562047788015215 h 30 min 7 s",
      ]
    )
  )
  func `it says how long and what`(_ interval: Duration, _ text: String) {
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
