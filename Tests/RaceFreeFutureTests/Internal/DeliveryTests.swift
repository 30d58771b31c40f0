// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting
import TestSupport
import Testing

@testable import RaceFreeFuture

@Suite struct DeliveryTests {
  @Test func `code that waits for the outcome continues before the first handler, also one without a node`() async {
    let future = Future()
    let hasContinued = Gate("the waiter has continued")
    future.onComplete(on: .inline) { hasContinued.wait() }
    let node = HandlerNode(role: .waiter) { _ in hasContinued.open() }
    #expect(future.register(node))
    await onThread { future.complete() }
    #expect(hasContinued.isOpen)
  }

  @Test func `a handler without a node doesn't run at the other outcome`() {
    let log = EventLog<String>()
    for cancels in [false, true] {
      let future = Future()
      if cancels { future.onComplete(on: .inline) { log.add("wrong") } }
      if !cancels { future.onCancel(on: .inline) { log.add("wrong") } }
      future.onCleanUp(on: .inline) { log.add("right") }
      if cancels { future.cancel() } else { future.complete() }
    }
    #expect(log.events == ["right", "right"])
  }

  @Test func `a thread has the queue only while its block runs`() async {
    let future = Future()
    let had = await onThread {
      [future.holdsTurn, future.performAndWait { _ in future.holdsTurn }, future.holdsTurn]
    }
    #expect(had == [false, true, false])
  }
}
