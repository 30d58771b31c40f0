// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

@Suite struct FutureUnlessCancelledTests {
  // MARK: unlessCancelled

  @Test(arguments: [false, true])
  func `unlessCancelled runs its block unless the future was cancelled`(_ completed: Bool) async {
    let target = MarkedQueue()
    let future = Future(target: target.queue)
    if completed { future.complete() }
    let log = EventLog<Bool>()
    let later: () -> Void = { future.unlessCancelled { log.add(target.isCurrent) } }
    later()
    #expect(future.unlessCancelledAndWait { target.isCurrent } == true)
    #expect(log.events == [true])
  }

  @Test func `unlessCancelled doesn't run its block once the future was cancelled`() async {
    let future = Future()
    let live = LiveCount()
    future.cancel()
    let later: () -> Void = { [instance = live.make()] in
      future.unlessCancelled {
        instance.touch()
        Issue.record("the block of a cancelled future ran")
      }
    }
    later()
    #expect(future.unlessCancelledAndWait { 1 } == nil)
  }

  @Test func `unlessCancelled asks in its turn, not when it is called`() async {
    let future = Future()
    let gate = Gate("line")
    future.standStill(until: gate)
    future.cancel()
    #expect(future.isPending)
    let later: () -> Void = { future.unlessCancelled { Issue.record("the block of a cancelled future ran") } }
    later()
    gate.open()
    #expect(future.unlessCancelledAndWait { true } == nil)
  }

  @Test func `nobody cancels while the block of unlessCancelled runs`() async {
    let future = Future()
    let entered = Gate("block runs")
    let leave = Gate("cancelled")
    let log = EventLog<Bool>()
    let later: () -> Void = {
      future.unlessCancelled {
        entered.open()
        leave.wait()
        log.add(future.isCancelled)
      }
    }
    later()
    await entered.passed()
    future.cancel()
    leave.open()
    #expect(await future.outcome == .cancelled)
    #expect(log.events == [false])
  }

  @Test func `of several blocks of unlessCancelled none runs after one that cancels`() async {
    let future = Future()
    let (gate, log) = (Gate("line"), EventLog<Int>())
    future.standStill(until: gate)
    future.unlessCancelled {
      log.add(1)
      future.cancel()
      log.add(2)
    }
    future.unlessCancelled { log.add(3) }
    gate.open()
    await future.withTurn {}
    #expect(log.events == [1, 2])
  }

  @Test func `unlessCancelled throws what the block threw, as its own type`() {
    let future = Future()
    do throws(Reason) {
      _ = try future.unlessCancelledAndWait { () throws(Reason) -> Int in throw Reason("thrown") }
      Issue.record("it threw nothing")
    } catch {
      #expect(error == Reason("thrown"))
    }
  }

  // MARK: Polling

  @Test func `checkCancellation throws the reason, and only after a cancellation`() throws {
    let future = Future()
    try future.checkCancellation()
    future.cancel(throwing: Reason("why"))
    #expect(throws: Reason("why")) { try future.checkCancellation() }
    let completed = Future()
    completed.complete()
    try completed.checkCancellation()
  }

  @Test func `what the resolving thread wrote before is seen by who polls`() async {
    final class Box: @unchecked Sendable { var value = 0 }
    struct Contest: Sendable {
      let future = Future()
      let box = Box()
      let torn = EventLog<Bool>()
    }
    await stress(
      rounds: iterations(1_000),
      make: { Contest() },
      actors: [
        { contest in
          contest.box.value = 1
          contest.future.cancel(throwing: Reason("why"))
        },
        { contest in
          while contest.future.isPending {}
          let isWhole = contest.box.value == 1 && reason(contest.future.cancellationReason) == Reason("why")
          if !isWhole { contest.torn.add(true) }
        },
      ],
      verify: { #expect($0.torn.events == []) }
    )
  }
}
