// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

// `item.isCancelled` never stands inside an expectation: a failed one would reflect the item, which crashes on Linux.

@Suite struct FutureDispatchWorkItemTests {
  @Test func `an attached work item runs on its queue, then the future is completed there`() async {
    let future = Future()
    let target = MarkedQueue()
    let log = EventLog<String>()
    future.onComplete(on: .inline) { log.add("completed on the queue: \(target.isCurrent)") }
    future.attach(DispatchWorkItem { log.add("body on the queue: \(target.isCurrent)") }, on: target.queue)
    #expect(await future.handlersFinished == .completed)
    #expect(log.events == ["body on the queue: true", "completed on the queue: true"])
  }

  @Test func `cancelled before the item starts its body is skipped`() async {
    let future = Future()
    let target = MarkedQueue()
    let gate = Gate("queue")
    let log = EventLog<String>()
    target.queue.async { gate.wait() }
    future.onCancel { log.add("handler") }
    let item = DispatchWorkItem { log.add("body") }
    future.attach(item, on: target.queue)
    future.cancel(throwing: Reason("why"))
    let isCancelled = item.isCancelled
    #expect(isCancelled)
    gate.open()
    await target.drained()
    #expect(await future.handlersFinished == .cancelled)
    #expect(reason(future.cancellationReason) == Reason("why"))
    #expect(log.events == ["handler"])
  }

  @Test func `cancelled while it runs the item learns it, and the future stays cancelled`() async {
    let future = Future()
    let target = MarkedQueue()
    let (entered, leave) = (Gate("body runs"), Gate("body"))
    let log = EventLog<String>()
    let item = DispatchWorkItem {
      entered.open()
      leave.wait()
      log.add("end of body")
    }
    future.attach(item, on: target.queue)
    await entered.passed()
    let before = item.isCancelled
    future.cancel()
    let after = item.isCancelled
    #expect([before, after] == [false, true])
    leave.open()
    await target.drained()
    await target.drained()
    #expect(log.events == ["end of body"])
    #expect(future.isCancelled)
  }

  @Test func `attached to a cancelled future the item is cancelled and not submitted`() async {
    let future = Future()
    let target = MarkedQueue()
    future.cancel()
    let item = DispatchWorkItem { Issue.record("the work of a cancelled future ran") }
    future.attach(item, on: target.queue)
    let isCancelled = item.isCancelled
    #expect(isCancelled)
    await target.drained()
  }

  @Test func `attached to a completed future the item is neither submitted nor cancelled`() async {
    let future = Future()
    let target = MarkedQueue()
    let log = EventLog<Int>()
    future.complete()
    let item = DispatchWorkItem { log.add(1) }
    future.attach(item, on: target.queue)
    await target.drained()
    let isCancelled = item.isCancelled
    #expect(!isCancelled)
    #expect(log.events == [])
  }

  @Test func `an item that its owner cancels cancels the future`() async {
    let future = Future()
    let target = MarkedQueue()
    let gate = Gate("queue")
    let log = EventLog<Int>()
    target.queue.async { gate.wait() }
    let item = DispatchWorkItem { log.add(1) }
    future.attach(item, on: target.queue)
    item.cancel()
    gate.open()
    #expect(await future.outcome == .cancelled)
    #expect(log.events == [])
  }

  @Test func `an item that is still queued when the future completes runs anyway`() async {
    let future = Future()
    let target = MarkedQueue()
    let gate = Gate("queue")
    let log = EventLog<Int>()
    target.queue.async { gate.wait() }
    let item = DispatchWorkItem { log.add(1) }
    future.attach(item, on: target.queue)
    future.complete()
    future.cancel()
    let isCancelled = item.isCancelled
    #expect(!isCancelled)
    gate.open()
    await target.drained()
    #expect(log.events == [1])
  }

  @Test func `an item that only Dispatch keeps runs, no matter who completes the future first`() async {
    let target = MarkedQueue()
    let log = EventLog<Int>()
    for round in 0..<200 {
      let future = Future()
      future.attach(DispatchWorkItem { log.add(round) }, on: target.queue)
      future.complete()
    }
    await target.drained()
    #expect(log.events == Array(0..<200))
  }

  @Test func `afterwards nothing is kept`() async {
    let live = LiveCount()
    let target = MarkedQueue()
    func attach() async -> Weak<Future> {
      let future = Future()
      future.attach(DispatchWorkItem { [instance = live.make()] in instance.touch() }, on: target.queue)
      _ = await future.handlersFinished
      return Weak(future)
    }
    let future = await attach()
    // Dispatch lets go of the block and of the notification before it starts the next ones.
    await target.drained()
    await target.drained()
    #expect(future.isGone)
    #expect(live.value == 0)
  }

  @Test func `whenever it is cancelled, a body that was not skipped ran once`() async {
    let target = MarkedQueue()
    struct Contest: Sendable {
      let future = Future()
      let ran = EventLog<Bool>()
    }
    await stress(
      rounds: iterations(1_000),
      make: { Contest() },
      actors: [
        { contest in
          contest.future.attach(DispatchWorkItem { contest.ran.add(true) }, on: target.queue)
        },
        { $0.future.cancel() },
      ],
      verify: { contest in
        target.queue.sync {}
        target.queue.sync {}
        #expect(contest.ran.events.count <= 1)
        #expect(contest.future.isCancelled || contest.ran.events == [true])
      }
    )
  }
}
