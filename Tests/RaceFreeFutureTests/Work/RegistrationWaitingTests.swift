// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFuture
import RaceFreeFutureTesting
import Synchronization
import TestSupport
import Testing

/// `unregisterAndWait`.
@Suite struct RegistrationWaitingTests {
  @Test func `before the outcome it removes and doesn't wait`() {
    let future = Future()
    let registration = future.onComplete { Issue.record("a removed handler ran") }
    #expect(registration.unregisterAndWait())
    #expect(!registration.unregisterAndWait())
    future.complete()
  }

  @Test func `it waits for the running handler, and for the release of what that kept`() async {
    let future = Future()
    let (entered, leave) = (Gate("handler runs"), Gate("handler"))
    let live = LiveCount()
    let log = EventLog<String>()
    let registration = future.onComplete { [instance = live.make()] in
      entered.open()
      leave.wait()
      log.add("end of handler")
      instance.touch()
    }
    future.complete()
    await entered.passed()
    let waiters = (0..<4).map { _ -> @Sendable () -> Void in
      {
        let removed = registration.unregisterAndWait()
        log.add("removed: \(removed), alive: \(live.value)")
      }
    }
    await onThreads(waiters + [{ leave.open() }])
    #expect(log.events == ["end of handler"] + Array(repeating: "removed: false, alive: 0", count: 4))
  }

  @Test func `whenever it comes, once it has returned the handler isn't running`() async {
    final class Contest: Sendable {
      let future = Future()
      let isRunning = Atomic(false)
      let broken = EventLog<String>()
      let slot = EventLog<Registration>()
      init() {
        slot.add(
          future.onComplete(on: .inline) { [unowned self] in
            isRunning.store(true, ordering: .sequentiallyConsistent)
            for _ in 0..<200 { _ = isRunning.load(ordering: .sequentiallyConsistent) }
            isRunning.store(false, ordering: .sequentiallyConsistent)
          }
        )
      }
    }
    await stress(
      rounds: iterations(1_500),
      make: { Contest() },
      actors: [
        { $0.future.complete() },
        { contest in
          for registration in contest.slot.events { registration.unregisterAndWait() }
          if contest.isRunning.load(ordering: .sequentiallyConsistent) { contest.broken.add("still running") }
        },
      ],
      verify: { contest in
        #expect(contest.broken.events == [])
      }
    )
  }

  @Test func `inside its own handler it doesn't wait`() async {
    for context in [HandlerPlace.serialQueue, .inline, .main] {
      let future = Future()
      let own = EventLog<Registration>()
      let log = EventLog<Bool>()
      own.add(
        future.onComplete(on: context) { for registration in own.events { log.add(registration.unregisterAndWait()) } }
      )
      future.complete()
      #expect(await future.handlersFinished == .completed)
      #expect(log.events == [false])
      own.removeAll()
    }
  }

  @Test func `inside a handler it removes the one behind and doesn't wait`() async {
    let future = Future()
    let next = EventLog<Registration>()
    let log = EventLog<Bool>()
    future.onComplete { for registration in next.events { log.add(registration.unregisterAndWait()) } }
    next.add(future.onComplete { Issue.record("a removed handler ran") })
    future.complete()
    #expect(await future.handlersFinished == .completed)
    #expect(log.events == [true])
    next.removeAll()
  }

  @Test func `it doesn't wait for handlers that run after its own`() async {
    let future = Future()
    let hasReturned = Gate("unregisterAndWait has returned")
    let first = future.onComplete(on: .inline) {}
    future.onComplete(on: .inline) {
      startThread {
        first.unregisterAndWait()
        hasReturned.open()
      }
      hasReturned.wait()
    }
    await onThread { future.complete() }
  }

  @Test func `after the handler has returned it returns at once`() async {
    let future = Future()
    let registration = future.onComplete {}
    future.complete()
    #expect(await future.handlersFinished == .completed)
    let removed = await onThread { registration.unregisterAndWait() }
    #expect(!removed)
  }

  @Test func `for a handler that doesn't belong to the outcome it returns at once`() async {
    let future = Future()
    let early = future.onCancel {}
    future.complete()
    let late = future.onCancel {}
    let removed = await onThread { [early.unregisterAndWait(), late.unregisterAndWait()] }
    #expect(removed == [false, false])
  }

  @Test func `a handler behind a blocked one is removed without waiting for that`() async {
    let future = Future()
    let gate = Gate("first handler")
    future.onComplete { gate.wait() }
    let second = future.onComplete { Issue.record("a removed handler ran") }
    future.complete()
    let removed = await onThread { second.unregisterAndWait() }
    #expect(removed)
    gate.open()
    #expect(await future.handlersFinished == .completed)
  }
}
