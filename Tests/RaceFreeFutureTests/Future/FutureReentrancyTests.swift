// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

@Suite struct FutureReentrancyTests {
  /// Calls on the future that may only be made by a thread which knows that it has the turn: all in place.
  private static let callsInPlace: [@Sendable (Future) -> Void] = [
    { $0.performAndWait {} },
    { _ = $0.unlessCancelledAndWait {} },
    { $0.tryComplete() },
    { $0.tryCancel() },
    { $0.cancel() },
  ]

  @Test func `a block that is queued behind a late handler runs behind it`() async {
    let future = Future()
    let log = EventLog<String>()
    future.onComplete(on: .inline) {
      future.onComplete { log.add("late handler") }
      future.perform { log.add("block") }
    }
    future.onComplete { log.add("handler") }
    future.complete()
    #expect(await future.handlersFinished == .completed)
    await future.withTurn {}
    #expect(log.events == ["handler", "late handler", "block"])
  }

  @Test func `when a task goes on behind its block, that has left the line`() async {
    for _ in 0..<iterations(1_000) {
      let future = Future()
      await future.withTurn {}
      future.cancel()
      #expect(future.isCancelled)
    }
  }

  @Test func `what a perform block captured may call back when it is released`() async {
    for (index, call) in Self.callsInPlace.enumerated() {
      let future = Future()
      let gate = Gate("line")
      let log = EventLog<Int>()
      future.onCleanUp(on: .inline) { future.performAndWait { log.add(-1) } }
      future.standStill(until: gate)
      // The gate keeps the block from running before this thread has let go of it: so its last reference goes on the
      // private queue.
      func enqueue() {
        let object = OnDeinit { [unowned future] in
          call(future)
          log.add(index)
        }
        future.perform { object.touch() }
        future.unlessCancelled { object.touch() }
      }
      enqueue()
      gate.open()
      await future.withTurn {}
      #expect(log.events.contains(index))
      future.complete()
      #expect(await future.handlersFinished == (index > 2 ? .cancelled : .completed))
    }
  }

  @Test func `the last completer may go with a perform block`() async {
    let log = EventLog<String>()
    let gate = Gate("line")
    func abandoned() -> Future {
      let completer = Future.makeCompleter(label: "work")
      let future = completer.future
      future.onCancel(on: .inline) { future.performAndWait { log.add("\(future.isCancelled)") } }
      future.standStill(until: gate)
      future.perform { _ = completer }
      return future
    }
    let future = abandoned()
    gate.open()
    #expect(await future.handlersFinished == .cancelled)
    #expect(log.events == ["true"])
  }

  @Test func `a queued value that lost may be given back to somebody who calls back`() async {
    let log = EventLog<Int>()
    let gate = Gate("line")
    let holder = EventLog<ValueFuture<Int>>()
    func future() -> ValueFuture<Int> {
      let future = ValueFuture<Int>(onUndelivered: { value in
        for future in holder.events {
          future.performAndWait { log.add(value) }
          future.tryCancel()
        }
      })
      holder.add(future)
      return future
    }
    let lost = future()
    lost.standStill(until: gate)
    lost.cancel()
    lost.complete(with: 7)
    gate.open()
    #expect(await lost.handlersFinished == .cancelled)
    await lost.withTurn {}
    #expect(log.events == [7])
    // Else the two keep each other.
    holder.removeAll()
  }

  @Test func `what a block decides when it is released is decided inside of it`() async {
    let future = Future()
    let (gate, log) = (Gate("line"), EventLog<String>())
    future.onComplete(on: .inline) { log.add("handler") }
    future.standStill(until: gate)
    func enqueue() {
      let object = OnDeinit { [unowned future] in
        log.add("\(future.tryComplete())")
        log.add("still in the block")
      }
      future.perform { object.touch() }
    }
    enqueue()
    gate.open()
    #expect(await future.handlersFinished == .completed)
    #expect(log.events == ["true", "still in the block", "handler"])
  }

  @Test func `waiting calls inside a perform block run in place`() async {
    let future = Future()
    let log = EventLog<String>()
    future.perform {
      let thread = ObjectIdentifier(Thread.current)
      log.add("1")
      future.performAndWait {
        let isSameThread = ObjectIdentifier(Thread.current) == thread
        log.add("2, pending: \(future.isPending), same thread: \(isSameThread)")
        future.complete()
        log.add("3, result: \(future.unlessCancelledAndWait { 7 } ?? 0)")
      }
      log.add("4, completed: \(future.isCompleted)")
    }
    future.onComplete(on: .inline) { log.add("handler") }
    #expect(await future.handlersFinished == .completed)
    #expect(
      log.events == [
        "1", "2, pending: true, same thread: true", "3, result: 7", "4, completed: true", "handler",
      ]
    )
  }

  @Test func `waiting calls inside a handler run in place`() async {
    let future = Future()
    let log = EventLog<String>()
    future.onCancel {
      log.add("handler")
      future.performAndWait { log.add("block, cancelled: \(future.isCancelled)") }
      log.add("\(String(describing: future.unlessCancelledAndWait { 1 }))")
    }
    future.cancel()
    #expect(await future.handlersFinished == .cancelled)
    #expect(log.events == ["handler", "block, cancelled: true", "nil"])
  }

  @Test func `waiting calls inside an inline handler don't hang, in place or queued`() async {
    let inPlace = Future()
    let log = EventLog<Bool>()
    inPlace.onCancel(on: .inline) { inPlace.performAndWait { log.add(inPlace.isCancelled) } }
    inPlace.cancel()
    #expect(log.events == [true])

    let inLine = Future()
    let gate = Gate("line")
    inLine.standStill(until: gate)
    inLine.onCancel(on: .inline) { inLine.performAndWait { log.add(inLine.isCancelled) } }
    inLine.cancel()
    gate.open()
    #expect(await inLine.handlersFinished == .cancelled)
    #expect(log.events == [true, true])
  }

  @Test func `a thread may come back to a future by way of another one`() async {
    let first = Future(label: "first")
    let second = Future(label: "second")
    let result = await onThread {
      first.performAndWait {
        second.performAndWait {
          first.performAndWait {
            first.complete()
            return second.tryCancel()
          }
        }
      }
    }
    #expect(result)
    #expect(first.isCompleted)
    #expect(second.isCancelled)
  }

  @Test func `a block that waits in place doesn't let others in`() async {
    let future = Future()
    let entered = Gate("block runs")
    let leave = Gate("cancelled")
    let log = EventLog<Bool>()
    future.perform {
      future.performAndWait {}
      entered.open()
      leave.wait()
      log.add(future.isPending)
    }
    await entered.passed()
    future.cancel()
    leave.open()
    #expect(await future.outcome == .cancelled)
    #expect(log.events == [true])
  }

  @Test func `a block may be enqueued inside a block, and runs after it`() async {
    let future = Future()
    let log = EventLog<Int>()
    future.perform {
      future.perform { log.add(2) }
      log.add(1)
    }
    await future.withTurn {}
    await future.withTurn {}
    #expect(log.events == [1, 2])
  }
}
