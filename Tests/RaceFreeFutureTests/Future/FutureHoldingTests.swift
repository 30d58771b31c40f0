// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

@Suite struct FutureHoldingTests {
  @Test func `start runs on the calling thread before attach returns`() async {
    await onThread {
      let future = Future()
      let caller = ObjectIdentifier(Thread.current)
      var isStarted = false
      future.attach {
        isStarted = ObjectIdentifier(Thread.current) == caller
      } stop: { _ in
      }
      #expect(isStarted)
    }
  }

  @Test func `cancelled before, start isn't called`() {
    let future = Future()
    let live = LiveCount()
    future.cancel()
    future.attach {
      Issue.record("the work of a cancelled future was started")
    } stop: { [instance = live.make()] _ in
      instance.touch()
      Issue.record("work that was never started was stopped")
    }
    #expect(live.value == 0)
  }

  @Test func `cancelled after, stop is called exactly once with the handle, before cancel returns`() {
    let future = Future()
    let log = EventLog<Int>()
    future.attach {
      42
    } stop: { handle in
      log.add(handle)
    }
    #expect(log.events == [])
    future.cancel()
    #expect(log.events == [42])
    future.cancel()
    #expect(log.events == [42])
  }

  @Test func `cancelled while start runs, stop is called once and after start has returned`() async {
    let future = Future()
    let log = EventLog<String>()
    await onThread {
      future.attach { () -> String in
        let cancelled = Gate("cancelled")
        startThread {
          future.cancel()
          cancelled.open()
        }
        cancelled.wait()
        log.add("end of start, cancelled: \(future.isCancelled)")
        return "handle"
      } stop: { handle in
        log.add("stop \(handle)")
      }
    }
    #expect(log.events == ["end of start, cancelled: true", "stop handle"])
  }

  @Test func `start itself may cancel`() {
    let future = Future()
    let log = EventLog<String>()
    future.attach { () -> Int in
      future.cancel()
      log.add("end of start")
      return 1
    } stop: { handle in
      log.add("stop \(handle)")
    }
    #expect(log.events == ["end of start", "stop 1"])
  }

  @Test func `completed before, start runs and stop never does`() {
    let future = Future()
    let live = LiveCount()
    let log = EventLog<String>()
    future.complete()
    future.attach {
      log.add("start")
      return live.make()
    } stop: { [instance = live.make()] _ in
      instance.touch()
      log.add("stop")
    }
    future.cancel()
    #expect(log.events == ["start"])
    #expect(live.value == 0)
  }

  @Test func `a completion releases the handle and stop`() {
    let future = Future()
    let live = LiveCount()
    future.attach {
      live.make()
    } stop: { [instance = live.make()] _ in
      instance.touch()
      Issue.record("the work of a completed future was stopped")
    }
    #expect(live.value == 2)
    future.complete()
    #expect(live.value == 0)
  }

  @Test func `work that completes the future in start is not stopped`() {
    let future = Future()
    let live = LiveCount()
    future.attach { () -> LiveCount.Instance in
      future.complete()
      return live.make()
    } stop: { _ in
      Issue.record("the work of a completed future was stopped")
    }
    future.cancel()
    #expect(live.value == 0)
  }

  @Test func `when start throws nothing is attached`() {
    let future = Future()
    let live = LiveCount()
    #expect(throws: Reason("no start")) {
      try future.attach { () throws(Reason) -> Int in
        throw Reason("no start")
      } stop: { [instance = live.make()] _ in
        instance.touch()
        Issue.record("work that failed to start was stopped")
      }
    }
    #expect(live.value == 0)
    #expect(future.isPending)
    future.cancel()
  }

  @Test func `several pieces of work are stopped in the order in which they were attached`() {
    let future = Future()
    let log = EventLog<Int>()
    for index in 0..<5 {
      future.attach {
        index
      } stop: {
        log.add($0)
      }
    }
    future.cancel()
    #expect(log.events == [0, 1, 2, 3, 4])
  }

  @Test func `whenever the cancellation comes, what was started is stopped exactly once`() async {
    struct Contest: Sendable {
      let future = Future()
      let started = EventLog<Bool>()
      let stopped = EventLog<Bool>()
    }
    await stress(
      rounds: iterations(1_500),
      make: { Contest() },
      actors: [
        { contest in
          contest.future.attach {
            contest.started.add(true)
          } stop: {
            contest.stopped.add(true)
          }
        },
        { $0.future.cancel() },
      ],
      verify: { contest in
        #expect(contest.started.events == contest.stopped.events)
      }
    )
  }

  @Test func `stopped work has never been completed`() async {
    struct Contest: Sendable {
      let future = Future()
      let started = EventLog<Bool>()
      let stopped = EventLog<Bool>()
    }
    await stress(
      rounds: iterations(1_500),
      make: { Contest() },
      actors: [
        { contest in
          contest.future.attach {
            contest.started.add(true)
          } stop: {
            contest.stopped.add(contest.future.isCancelled)
          }
        },
        { $0.future.complete() },
        { $0.future.cancel() },
      ],
      verify: { contest in
        #expect(contest.stopped.events == (contest.future.isCancelled ? contest.started.events : []))
      }
    )
  }
}
