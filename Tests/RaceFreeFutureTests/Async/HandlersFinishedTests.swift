// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

@Suite struct HandlersFinishedTests {
  @Test(arguments: [Future.Outcome.completed, .cancelled])
  func `without handlers it returns at the outcome`(_ outcome: Future.Outcome) async {
    let future = Future()
    let task = Task { await future.handlersFinished }
    await Task.yield()
    future.resolve(outcome)
    #expect(await task.value == outcome)
    #expect(await future.handlersFinished == outcome)
  }

  @Test func `it waits for a handler in each context`() async {
    let queue = DispatchQueue(label: "given")
    let contexts: [HandlerPlace] = [.serialQueue, queue.handlerPlace, .main, .inline]
    for context in contexts {
      let future = Future()
      let (entered, gate) = (Gate("handler runs"), Gate("handler"))
      let log = EventLog<String>()
      future.onComplete(on: context) {
        entered.open()
        // Not for long on the main queue, which other tests need.
        gate.wait()
        log.add("handler")
      }
      let waiter = Task {
        _ = await future.handlersFinished
        log.add("finished")
      }
      startThread { future.complete() }
      await entered.passed()
      await Task.yield()
      gate.open()
      await waiter.value
      #expect(log.events == ["handler", "finished"])
    }
  }

  @Test func `it waits for all handlers, whichever context is last`() async {
    let future = Future()
    let (first, second) = (DispatchQueue(label: "first"), DispatchQueue(label: "second"))
    let gates = [Gate("private queue"), Gate("first"), Gate("second")]
    let log = EventLog<Int>()
    future.onComplete {
      gates[0].wait()
      log.add(0)
    }
    future.onComplete(on: first) {
      gates[1].wait()
      log.add(1)
    }
    future.onComplete(on: second) {
      gates[2].wait()
      log.add(2)
    }
    future.complete()
    let waiter = Task {
      _ = await future.handlersFinished
      log.add(9)
    }
    for index in [1, 2, 0] {
      gates[index].open()
      switch index {
      case 1: await onThread { first.sync {} }
      case 2: await onThread { second.sync {} }
      default: await future.withTurn {}
      }
    }
    await waiter.value
    #expect(log.events == [1, 2, 0, 9])
  }

  @Test func `it waits for handlers that are added while others run`() async {
    let future = Future()
    let (entered, gate) = (Gate("handler runs"), Gate("handler"))
    let log = EventLog<Int>()
    future.onComplete {
      entered.open()
      gate.wait()
      log.add(1)
    }
    future.complete()
    await entered.passed()
    let waiter = Task {
      _ = await future.handlersFinished
      log.add(9)
    }
    future.onComplete { log.add(2) }
    future.onCleanUp(on: .main) {}
    gate.open()
    await waiter.value
    #expect(log.events == [1, 2, 9])
  }

  @Test func `it waits for handlers that handlers add`() async {
    let future = Future()
    let log = EventLog<Int>()
    future.onComplete {
      log.add(1)
      future.onComplete {
        log.add(2)
        future.onComplete(on: .main) { log.add(3) }
      }
    }
    future.complete()
    _ = await future.handlersFinished
    #expect(log.events == [1, 2, 3])
  }

  @Test func `it waits for late handlers as well`() async {
    let future = Future()
    future.complete()
    _ = await future.handlersFinished
    for _ in 0..<200 {
      let log = EventLog<Int>()
      future.onComplete { log.add(1) }
      future.onComplete(on: .main) { log.add(2) }
      _ = await future.handlersFinished
      #expect(log.events.sorted() == [1, 2])
    }
  }

  @Test func `removed handlers are not waited for`() async {
    let future = Future()
    let registration = future.onComplete { Issue.record("a removed handler ran") }
    #expect(registration.unregister())
    future.complete()
    #expect(await future.handlersFinished == .completed)
  }

  @Test func `cancelling the waiting task doesn't end the wait`() async {
    let future = Future()
    let gate = Gate("handler")
    let log = EventLog<Int>()
    future.onComplete {
      gate.wait()
      log.add(1)
    }
    future.complete()
    let waiter = Task {
      _ = await future.handlersFinished
      log.add(2)
    }
    waiter.cancel()
    gate.open()
    await waiter.value
    #expect(log.events == [1, 2])
  }

  @Test func `many may wait`() async {
    let future = Future()
    let log = EventLog<Int>()
    future.onComplete { log.add(1) }
    await withTaskGroup(of: Int.self) { group in
      for _ in 0..<500 {
        group.addTask {
          _ = await future.handlersFinished
          return log.events.count
        }
      }
      await Task.yield()
      future.complete()
      for await count in group { #expect(count == 1) }
    }
  }

  @Test func `it comes after the handlers, no matter who decides and when it is asked`() async {
    for round in 0..<iterations(300) {
      let future = Future()
      let log = EventLog<Int>()
      for _ in 0..<3 { future.onCleanUp { log.add(1) } }
      future.onCleanUp(on: .main) { log.add(1) }
      let deciding = Task { if round.isMultiple(of: 2) { future.complete() } else { future.cancel() } }
      #expect(await future.handlersFinished == (round.isMultiple(of: 2) ? .completed : .cancelled))
      #expect(log.events.count == 4)
      await deciding.value
    }
  }
}
