// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFutureTesting
import Synchronization
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
      [future.holdsTurn, future.performAndWait { future.holdsTurn }, future.holdsTurn]
    }
    #expect(had == [false, true, false])
  }

  @Test func `a closure of map is released when its future is cancelled, although the source is being delivered`() {
    let (live, alive) = (LiveCount(), EventLog<Int>())
    let source = ValueFuture<Int>()
    let derived = EventLog<ValueFuture<Int>>()
    // Runs before the stage, which is among the handlers that were taken from the list.
    source.onComplete(on: .inline) {
      for future in derived.events { future.cancel() }
      alive.add(live.value)
    }
    derived.add(
      source.map { [instance = live.make()] number in
        instance.touch()
        return number
      }
    )
    source.complete(with: 1)
    #expect(alive.events == [0])
  }

  @Test func `a thread that waits for the handler without a node doesn't wait for those after it`() async {
    let future = Future()
    let (entered, hasWaited) = (Gate("the second handler runs"), Gate("the thread has waited for the first one"))
    let first = future.onComplete(on: .inline) {}
    future.onComplete(on: .inline) {
      entered.open()
      hasWaited.wait()
    }
    await onThreads([
      { future.complete() },
      {
        entered.wait()
        first.unregisterAndWait()
        hasWaited.open()
      },
    ])
  }

  @Test func `a future is quiet when the queue of its handler has run it`() {
    let future = Future()
    let queue = DispatchQueue(label: "handlers")
    future.onComplete(on: queue) {}
    future.complete()
    queue.sync {}
    #expect(future.process { $0.isOver(.drain) })
  }

  // MARK: Waiters first (M9)

  /// The way in which a tree of two futures is cancelled.
  enum Way: CaseIterable, Sendable {
    case byItself, fromItsRoot, byALink, inABlock, atItsTurn, late

    var reachesTheChild: Bool { self != .late }

    func cancel(_ root: Future, _ gate: Gate) async {
      switch self {
      case .byItself, .fromItsRoot, .late: root.cancel()
      case .byALink:
        let other = Future()
        other.cancel()
        other.cascadeCancellation(to: root)
      case .inABlock: await onThread { root.performAndWait { root.cancel() } }
      case .atItsTurn:
        root.standStill(until: gate)
        root.cancel()
        gate.open()
        await root.withTurn {}
      }
    }
  }

  @Test(arguments: Way.allCases)
  func `L11 a wait for one future of a tree ends before any handler starts`(way: Way) async {
    let (root, log) = (Future(), EventLog<String>())
    let child = way == .byItself ? root : Future(linkedTo: root)
    for future in [root, child] {
      future.onCancel(on: .inline) { log.add("handler") }
      // After the handlers, and yet before them.
      _ = future.register(HandlerNode(role: .waiter) { _ in log.add("waiter") })
    }
    await way.cancel(root, Gate("the block may end"))
    #expect(log.events == ["waiter", "waiter", "handler", "handler"])
  }

  // MARK: Late handlers

  @Test func `L4 blocks don't overtake late handlers, however many of these are dispatched at once`() async {
    for _ in 0..<3 {
      let future = Future()
      let queue = MarkedQueue("other")
      let (entered, gate) = (Gate("the first handler runs"), Gate("the first handler may end"))
      let (isLastOver, isOvertaken) = (Variable(), Variable())
      // Two: the first one alone would have no place in the list.
      future.onComplete(on: .inline) {}
      future.onComplete(on: .inline) {
        entered.open()
        gate.wait()
      }
      startThread { future.complete() }
      await entered.passed()
      // They take so long to dispatch that another thread can come in between, if it is let in.
      for _ in 0..<iterations(100_000) { future.onComplete(on: queue.queue.handlerPlace) {} }
      future.onComplete { isLastOver.set() }
      await onThread {
        gate.open()
        while !isLastOver.isSet {
          future.perform { if !isLastOver.isSet { isOvertaken.set() } }
        }
      }
      await queue.drained()
      #expect(!isOvertaken.isSet)
    }
  }

  private final class Variable: Sendable {
    private let value = Atomic(false)
    var isSet: Bool { value.load(ordering: .acquiring) }
    func set() { value.store(true, ordering: .releasing) }
  }

  // MARK: Counts (M10)

  @Test func `what was dispatched is counted once, also what is late`() {
    var machine = FutureMachine()
    _ = machine.addFirst(nil, .inline)
    _ = machine.add(HandlerNode(nil, .serialQueue, .plain {}))
    var delivery = machine.decided(.completed)
    _ = machine.add(HandlerNode(nil, .serialQueue, .plain {}))
    for _ in 0..<2 { machine.next(&delivery, on: thread) }
    while machine.nextLate(&delivery) {}
    var isQuiet: [Bool] = []
    for _ in 0..<2 {
      _ = machine.ended(nested: false)
      isQuiet.append(machine.isOver(.drain))
    }
    #expect(isQuiet == [false, true])
  }
}
