// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Testing

@testable import RaceFreeFuture

/// The handler without a node; in the list it is in the tests of `FutureMachine`.
struct HandlerListTests {
  @Test func `nobody waits for the return of a handler of the other outcome, which doesn't run`() {
    var slot = InlineSlot.waiting({}, .cancelled)
    let runs = slot.take(at: .completed, on: thread)?.runs
    #expect(runs == false)
    let waits = slot.awaitEnd(by: ThreadIdentity(rawValue: 4))
    #expect(!waits)
  }

  @Test func `a thread waits for the return of a handler that another one runs`() {
    var slot = InlineSlot.waiting({}, .completed)
    let runs = slot.take(at: .completed, on: thread)?.runs
    #expect(runs == true)
    let waits = [slot.awaitEnd(by: thread), slot.awaitEnd(by: ThreadIdentity(rawValue: 4))]
    #expect(waits == [false, true])
    let wakes = [slot.end(), slot.end()]
    #expect(wakes == [true, false])
  }
}
