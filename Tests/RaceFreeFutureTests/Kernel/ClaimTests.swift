// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import RaceFreeFuture

/// The moves of a claim, one by one (H1).
struct ClaimTests {
  private final class Handler: Sendable {
    let claim: Claim

    init(isUnparked: Bool = false) { claim = Claim(isUnparked: isUnparked) }

    // A claim can't be copied, which `#expect` needs.
    func begin() -> Bool { claim.begin() }
    func remove() -> Bool { claim.remove() }
    func park() -> Bool { claim.park() }
    func removeUnparked() -> Bool { claim.removeUnparked() }
    var isWaiting: Bool { claim.isWaiting }
    var isRemoved: Bool { claim.isRemoved }
  }

  @Test func `a handler that was removed doesn't begin`() {
    let handler = Handler()
    #expect(handler.remove())
    #expect(!handler.begin())
    #expect(handler.isRemoved)
  }

  @Test func `a handler that runs, or has run, is neither removed nor begun again`() {
    let handler = Handler()
    #expect(handler.begin())
    #expect(!handler.remove() && !handler.begin() && !handler.isWaiting)
    handler.claim.end(handler)
    #expect(!handler.remove() && !handler.begin() && !handler.isWaiting)
  }

  @Test func `a task that was cancelled before it is suspended isn't suspended`() {
    let task = Handler(isUnparked: true)
    #expect(task.removeUnparked())
    #expect(!task.park())
    #expect(!task.begin() && task.isRemoved)
  }

  @Test func `a task that was suspended is removed like a handler`() {
    let task = Handler(isUnparked: true)
    #expect(!task.isWaiting && !task.remove())
    #expect(task.park())
    #expect(task.isWaiting && !task.removeUnparked())
    #expect(task.remove())
  }

  @Test func `a handler doesn't wait for itself`() async {
    let handler = Handler()
    await onThread {
      _ = handler.begin()
      handler.claim.waitUntilReturned(handler)
    }
  }
}
