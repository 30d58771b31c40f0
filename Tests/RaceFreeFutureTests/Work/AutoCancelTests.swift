// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

@Suite struct AutoCancelTests {
  private final class Owner: Sendable {
    let work: AutoCancel
    init(_ work: AutoCancel) { self.work = work }
  }

  @Test func `when its last reference goes the future is cancelled`() {
    let future = Future()
    let slots = EventLog<Owner>()
    slots.add(Owner(future.cancelOnDeinit()))
    slots.add(Owner(future.cancelOnDeinit()))
    #expect(future.isPending)
    slots.removeAll()
    #expect(future.cancellationReason is CancellationError)
  }

  @Test func `as long as one reference is there the future stays pending`() {
    let future = Future()
    let (first, second) = (EventLog<AutoCancel>(), EventLog<AutoCancel>())
    let auto = EventLog<AutoCancel>()
    auto.add(future.cancelOnDeinit())
    for reference in auto.events {
      first.add(reference)
      second.add(reference)
    }
    auto.removeAll()
    first.removeAll()
    #expect(future.isPending)
    second.removeAll()
    #expect(future.isCancelled)
  }

  @Test func `a completed future stays completed`() {
    let future = Future()
    let slot = EventLog<AutoCancel>()
    slot.add(future.cancelOnDeinit())
    future.complete()
    slot.removeAll()
    #expect(future.isCompleted)
  }

  @Test func `it can be made from a token`() {
    let future = Future()
    let slot = EventLog<AutoCancel>()
    slot.add(future.cancelToken.cancelOnDeinit())
    slot.removeAll()
    #expect(future.isCancelled)
    _ = CancelToken.never.cancelOnDeinit()
    #expect(CancelToken.never.isPending)
  }

  @Test func `dropping it doesn't block, whatever is queued`() async {
    let future = Future()
    let gate = Gate("line")
    future.standStill(until: gate)
    do { _ = future.cancelOnDeinit() }
    #expect(future.isPending)
    gate.open()
    #expect(await future.outcome == .cancelled)
  }

  @Test func `a handler may drop what cancels its own future`() async {
    let future = Future()
    let slot = EventLog<AutoCancel>()
    slot.add(future.cancelOnDeinit())
    future.onComplete { slot.removeAll() }
    future.complete()
    #expect(await future.handlersFinished == .completed)
    #expect(slot.events.isEmpty)
  }
}
