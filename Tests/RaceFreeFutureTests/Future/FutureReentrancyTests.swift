// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

@Suite struct FutureReentrancyTests {
  @Test func `waiting calls inside a perform block run in place`() async {
    let future = Future()
    let log = EventLog<String>()
    future.performLater { state in
      let thread = ObjectIdentifier(Thread.current)
      log.add("1")
      future.performAndWait { inner in
        let isSameThread = ObjectIdentifier(Thread.current) == thread
        log.add("2, pending: \(inner.isPending), same thread: \(isSameThread)")
        inner.complete()
        log.add("3, result: \(future.unlessCancelledAndWait { 7 } ?? 0)")
      }
      log.add("4, completed: \(state.isCompleted)")
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
      future.performAndWait { state in log.add("block, cancelled: \(state.isCancelled)") }
      log.add("\(String(describing: future.unlessCancelledAndWait { 1 }))")
    }
    future.cancel()
    #expect(await future.handlersFinished == .cancelled)
    #expect(log.events == ["handler", "block, cancelled: true", "nil"])
  }

  @Test func `waiting calls inside an inline handler don't hang, in place or in line`() async {
    let inPlace = Future()
    let log = EventLog<Bool>()
    inPlace.onCancel(on: .inline) { inPlace.performAndWait { state in log.add(state.isCancelled) } }
    inPlace.cancel()
    #expect(log.events == [true])

    let inLine = Future()
    let gate = Gate("line")
    inLine.standStill(until: gate)
    inLine.onCancel(on: .inline) { inLine.performAndWait { state in log.add(state.isCancelled) } }
    inLine.cancel()
    gate.open()
    #expect(await inLine.handlersFinished == .cancelled)
    #expect(log.events == [true, true])
  }

  @Test func `a thread may come back to a future by way of another one`() async {
    let first = Future(label: "first")
    let second = Future(label: "second")
    let result = await onThread {
      first.performAndWait { _ in
        second.performAndWait { _ in
          first.performAndWait { state in
            state.complete()
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
    future.performLater { state in
      future.performAndWait { _ in }
      entered.open()
      leave.wait()
      log.add(state.isPending)
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
    future.performLater { _ in
      future.perform { _ in log.add(2) }
      log.add(1)
    }
    await future.perform { _ in }
    await future.perform { _ in }
    #expect(log.events == [1, 2])
  }
}
