// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import TestSupport
import Testing

@testable import RaceFreeFuture

@Suite struct AllFailedErrorTests {
  @Test func `it has the errors in their order, and tells them`() {
    let error = AllFailedError(errors: [Reason("a"), TimeoutError(interval: .seconds(1), label: "b")])
    #expect(reason(error.errors.first) == Reason("a"))
    #expect(error.errors.last is TimeoutError)
    #expect(error.description == "all of 2 failed: \(Reason("a")); timed out after 1.0 seconds: b")
  }

  @Test func `of many it tells the first six, and of others like it the number`() {
    let several = AllFailedError(errors: [Reason("a"), Reason("b"), Reason("c")])
    let error = AllFailedError(errors: [several] + Array(repeating: CancellationError(), count: 9))
    let rest = Array(repeating: "CancellationError()", count: 5).joined(separator: "; ")
    #expect(error.description == "all of 10 failed: all of 3 failed; \(rest); 4 more")
  }

  @Test func `a hundred thousand inside each other are told and released by a loop`() async {
    let live = LiveCount()
    struct Kept: Error { let instance: LiveCount.Instance }
    await onThread(stackSize: 512 << 10) {
      var error: any Error = Kept(instance: live.make())
      for _ in 0..<100_000 { error = AllFailedError(errors: [error, Reason("other")]) }
      #expect("\(error)" == "all of 2 failed: all of 2 failed; \(Reason("other"))")
    }
    #expect(live.value == 0)
  }

  @Test func `what somebody else still has isn't taken apart`() {
    let inner = AllFailedError(errors: [Reason("a")])
    do { _ = AllFailedError(errors: [inner, AllFailedError(errors: [inner])]) }
    #expect(reason(inner.errors.first) == Reason("a"))
  }
}
