// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFuture
import TestSupport
import Testing

@Suite struct TimeoutErrorTests {
  @Test func `it says how long and what`() {
    let error = TimeoutError(interval: .milliseconds(1_500), label: "download")
    #expect(error.interval == .milliseconds(1_500))
    #expect(error.label == "download")
    #expect(error.description == "timed out after 1.5 seconds: download")
  }

  @Test func `errors with the same interval and label are equal`() {
    let error = TimeoutError(interval: .seconds(1), label: "a")
    #expect(error == TimeoutError(interval: .milliseconds(1_000), label: "a"))
    #expect(error != TimeoutError(interval: .seconds(2), label: "a"))
    #expect(error != TimeoutError(interval: .seconds(1), label: "b"))
  }
}
