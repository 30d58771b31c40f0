// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

@Suite struct FutureTests {
  @Test func `it has the label that it was given`() {
    #expect(Future().origin.label == nil)
    #expect(Future(label: "download").origin.label == "download")
  }

  @Test func `handlers and perform blocks run on the target`() async {
    let target = MarkedQueue()
    let future = Future(label: "f", target: target.queue)
    let log = EventLog<Bool>()
    future.onComplete { log.add(target.isCurrent) }
    future.onCleanUp { _ in log.add(target.isCurrent) }
    future.perform { log.add(target.isCurrent) }
    future.complete()
    #expect(await future.handlersFinished == .completed)
    future.onComplete { log.add(target.isCurrent) }
    #expect(await future.withTurn { target.isCurrent })
    #expect(log.events == [true, true, true, true])
    #expect(!target.isCurrent)
  }

  @Test func `with a concurrent target it still is serial`() async {
    let target = MarkedQueue("concurrent", attributes: .concurrent)
    let future = Future(target: target.queue)
    let log = EventLog<Int>()
    for index in 0..<200 { future.onComplete { log.add(index) } }
    future.complete()
    for index in 200..<400 { future.onComplete { log.add(index) } }
    _ = await future.handlersFinished
    #expect(log.events == Array(0..<400))
  }

  @Test func `two futures with the same serial target never run at the same time`() async {
    final class Counter: @unchecked Sendable { var value = 0 }  // guarded by the target
    let target = MarkedQueue()
    let (first, second) = (Future(target: target.queue), Future(target: target.queue))
    let counter = Counter()
    for _ in 0..<500 {
      first.onComplete { counter.value += 1 }
      second.perform { counter.value += 1 }
    }
    first.complete()
    _ = await first.handlersFinished
    await second.withTurn {}
    await target.drained()
    #expect(target.queue.sync { counter.value } == 1_000)
  }

  @Test func `a handler that is inline or elsewhere doesn't need the private queue`() async {
    let target = DispatchQueue(label: "suspended")
    let other = MarkedQueue()
    target.suspend()
    let future = Future(target: target)
    let child = Future(linkedTo: future)
    let log = EventLog<String>()
    future.onCancel(on: .inline) { log.add("inline") }
    future.onCancel(on: other.queue) { log.add("elsewhere") }
    #expect(future.tryCancel())
    #expect(await future.handlersFinished == .cancelled)
    #expect(child.isCancelled)
    #expect(log.events == ["inline", "elsewhere"])
    target.resume()
  }

  @Test func `dropped while it is pending it releases its handlers and runs none`() async {
    let live = LiveCount()
    func drop() -> Weak<Future> {
      let future = Future()
      for context in [HandlerPlace.serialQueue, .inline, .main] {
        future.onComplete(on: context) { [instance = live.make()] in
          instance.touch()
          Issue.record("a handler of a dropped future ran")
        }
        future.onCleanUp(on: context) { [instance = live.make()] in
          instance.touch()
          Issue.record("a handler of a dropped future ran")
        }
      }
      return Weak(future)
    }
    #expect(drop().isGone)
    #expect(live.value == 0)
  }

  @Test func `its handlers run although nobody keeps it`() async {
    let ran = Gate("handler ran")
    func drop() {
      let future = Future()
      future.onComplete { ran.open() }
      future.complete()
    }
    drop()
    await ran.passed()
  }

  @Test func `a queued perform block keeps it`() async {
    let (gate, ran) = (Gate("line"), Gate("handler ran"))
    func drop() {
      let future = Future()
      future.standStill(until: gate)
      future.onCancel { ran.open() }
      future.cancel()
    }
    drop()
    gate.open()
    await ran.passed()
  }

  @Test(arguments: [true, false])
  func `half a million handlers are released without exhausting the stack`(_ isResolved: Bool) async {
    let live = LiveCount()
    await onThread {
      let future = Future()
      let instance = live.make()
      for _ in 0..<min(500_000, iterations(500_000)) { future.onCancel(on: .inline) { instance.touch() } }
      if isResolved { future.complete() }
    }
    #expect(live.value == 0)
  }

  @Test func `outcomes are values`() {
    #expect(Future.Outcome.completed != .cancelled)
    #expect(Set([Future.Outcome.completed, .cancelled, .completed]).count == 2)
  }
}
