// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

@Suite struct FutureInspectingTests {
  // MARK: perform

  @Test func `all three forms see the state, on the private queue`() async {
    let target = MarkedQueue()
    let future = Future(target: target.queue)
    let log = EventLog<Bool>()
    future.perform {
      log.add(future.isPending && !future.isCompleted && !future.isCancelled && future.cancellationReason == nil)
      log.add(target.isCurrent)
    }
    #expect(await future.withTurn { future.isPending && target.isCurrent })
    future.performAndWait { log.add(future.isPending && target.isCurrent) }
    future.cancel(throwing: Reason("why"))
    future.perform { log.add(future.isCancelled && reason(future.cancellationReason) == Reason("why")) }
    #expect(await future.withTurn { future.isCancelled && !future.isPending && !future.isCompleted })
    future.performAndWait { log.add(future.isCancelled && reason(future.cancellationReason) == Reason("why")) }
    #expect(log.events == [true, true, true, true, true])

    let completed = Future()
    completed.complete()
    #expect(completed.performAndWait { completed.isCompleted && !completed.isPending && !completed.isCancelled })
  }

  @Test func `perform returns at once`() async {
    let future = Future()
    let gate = Gate("perform")
    future.standStill(until: gate)
    future.perform {}
    gate.open()
    await future.withTurn {}
  }

  @Test func `the waiting forms return what the block returned`() async {
    let future = Future()
    final class NotSendable {}
    let object = NotSendable()
    #expect(future.performAndWait { object } === object)
    #expect(await future.withTurn { 42 } == 42)
  }

  @Test func `the waiting forms throw what the block threw, as its own type`() async {
    let future = Future()
    let log = EventLog<Reason>()
    do throws(Reason) {
      try future.performAndWait { () throws(Reason) in throw Reason("blocking") }
    } catch {
      log.add(error)
    }
    do throws(Reason) {
      try await future.withTurn { () throws(Reason) in throw Reason("suspending") }
    } catch {
      log.add(error)
    }
    #expect(log.events == [Reason("blocking"), Reason("suspending")])
    #expect(future.tryComplete(), "a block that threw has left the line")
  }

  @Test func `a pending future stays pending while a block runs`() async {
    let future = Future()
    let entered = Gate("block runs")
    let leave = Gate("decisions were made")
    let log = EventLog<Bool>()
    future.perform {
      log.add(future.isPending)
      entered.open()
      leave.wait()
      log.add(future.isPending)
    }
    await entered.passed()
    future.complete()
    future.cancel()
    #expect(future.isPending)
    leave.open()
    #expect(await future.outcome == .completed)
    #expect(log.events == [true, true])
  }

  @Test func `what a block saw as pending nobody resolves before it ends, whenever they come`() async {
    struct Contest: Sendable {
      let future = Future()
      let broken = EventLog<Bool>()
    }
    await stress(
      rounds: iterations(1_000),
      make: { Contest() },
      actors: [
        { contest in
          contest.future.performAndWait {
            let before = contest.future.isPending
            for _ in 0..<50 where contest.future.isPending != before { contest.broken.add(true) }
          }
        },
        { $0.future.cancel() },
        { $0.future.tryComplete() },
      ],
      verify: { contest in
        #expect(contest.broken.events == [])
        #expect(contest.future.performAndWait { !contest.future.isPending })
      }
    )
  }

  @Test func `blocks run in the order of the calls`() async {
    let future = Future()
    let log = EventLog<Int>()
    for index in 0..<1_000 { future.perform { log.add(index) } }
    future.complete()
    for index in 1_000..<2_000 { future.perform { log.add(index) } }
    await future.withTurn {}
    #expect(log.events == Array(0..<2_000))
  }

  @Test func `a decision between two blocks takes its turn between them`() async {
    let future = Future()
    let gate = Gate("line")
    let log = EventLog<String>()
    future.standStill(until: gate)
    future.perform { log.add("A pending: \(future.isPending)") }
    future.cancel()
    future.perform { log.add("B cancelled: \(future.isCancelled)") }
    gate.open()
    await future.withTurn {}
    #expect(log.events == ["A pending: true", "B cancelled: true"])
  }

  @Test func `a waiting block runs exactly once also if its task is cancelled`() async {
    let future = Future()
    let gate = Gate("line")
    let log = EventLog<Int>()
    future.standStill(until: gate)
    let task = Task {
      await future.withTurn {
        log.add(1)
        return Task.isCancelled
      }
    }
    task.cancel()
    gate.open()
    _ = await task.value
    #expect(log.events == [1])
  }

  @Test func `perform doesn't overtake a handler that came late and isn't dispatched yet`() async {
    let future = Future()
    let log = EventLog<String>()
    future.onComplete(on: .inline) {
      // Dispatched when this handler has returned.
      future.onComplete { log.add("handler") }
      future.perform { log.add("block") }
    }
    future.complete()
    _ = await future.handlersFinished
    await future.withTurn {}
    #expect(log.events == ["handler", "block"])
  }

  @Test func `performAndWait waits for the handlers queued before it`() async {
    let future = Future()
    let gate = Gate("handler")
    let log = EventLog<String>()
    future.onComplete {
      gate.wait()
      log.add("handler")
    }
    future.complete()
    startThread { gate.open() }
    await onThread { future.performAndWait { log.add("block") } }
    #expect(log.events == ["handler", "block"])
  }

  @Test func `a block is released when it has run`() async {
    let future = Future()
    let live = LiveCount()
    future.perform { [instance = live.make()] in instance.touch() }
    // Dispatch releases a block before it starts the next one.
    await future.withTurn {}
    #expect(live.value == 0)
  }

  // MARK: Deciding inside

  @Test func `a block can complete its future`() async {
    let future = Future()
    let log = EventLog<String>()
    future.onComplete(on: .inline) { log.add("inline handler") }
    future.onComplete { log.add("handler") }
    future.onCancel { log.add("wrong handler") }
    future.perform {
      future.complete()
      log.add("completed: \(future.isCompleted), pending: \(future.isPending)")
      future.cancel()
      log.add("completed: \(future.isCompleted)")
    }
    future.cancel()
    #expect(await future.handlersFinished == .completed)
    #expect(
      log.events == ["completed: true, pending: false", "completed: true", "inline handler", "handler"]
    )
  }

  @Test func `a block can cancel its future`() async {
    let future = Future()
    let log = EventLog<String>()
    future.onCancel(on: .inline) { log.add("inline handler") }
    future.onCancel { error in log.add("handler: \(reason(error)?.text ?? "?")") }
    future.perform {
      future.cancel(throwing: Reason("inside"))
      future.cancel(throwing: Reason("again"))
      future.complete()
      log.add("cancelled: \(future.isCancelled), \(reason(future.cancellationReason)?.text ?? "?")")
    }
    future.cancel(throwing: Reason("outside"))
    #expect(await future.handlersFinished == .cancelled)
    #expect(log.events == ["cancelled: true, inside", "inline handler", "handler: inside"])
  }

  @Test func `deciding a resolved future in a block does nothing`() {
    let future = Future()
    future.complete()
    future.performAndWait {
      future.cancel()
      let isCompleted = future.isCompleted
      #expect(isCompleted)
    }
    #expect(future.isCompleted)
  }

  @Test func `a handler added after the decision inside the block starts after the block`() async {
    let future = Future()
    let log = EventLog<String>()
    future.perform {
      future.complete()
      future.onComplete(on: .inline) { log.add("inline handler") }
      log.add("end of block")
    }
    #expect(await future.handlersFinished == .completed)
    #expect(log.events == ["end of block", "inline handler"])
  }

  @Test func `handlers for other queues don't start before the deciding block has returned`() async {
    let future = Future()
    let other = MarkedQueue()
    let log = EventLog<String>()
    future.onComplete(on: other.queue) { log.add("handler") }
    await onThread {
      future.performAndWait {
        future.complete()
        // Behind the handler, if that had been sent already.
        other.queue.sync {}
        log.add("end of block")
      }
    }
    #expect(await future.handlersFinished == .completed)
    #expect(log.events == ["end of block", "handler"])
  }

  @Test func `a waiting block that decides has its inline handlers run before it returns to the caller`() async {
    let future = Future()
    let log = EventLog<String>()
    future.onComplete(on: .inline) { log.add("handler") }
    future.performAndWait { future.complete() }
    #expect(log.events == ["handler"])
  }
}
