// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

/// The facts which the test suite of RXFuture (Objective-C, 2011) stated about its token.
@Suite struct RXFutureFactsTests {
  @Test func `cancellation handlers called after cancelling see that it is cancelled`() async {
    let future = Future()
    let log = EventLog<Bool>()
    future.onCancel { log.add(future.isCancelled && !future.isCompleted) }
    future.cancel()
    #expect(await future.handlersFinished == .cancelled)
    #expect(log.events == [true])
  }

  @Test func `completion handlers called after completing see that it is completed`() async {
    let future = Future()
    let log = EventLog<Bool>()
    future.onComplete { log.add(future.isCompleted && !future.isCancelled) }
    future.complete()
    #expect(await future.handlersFinished == .completed)
    #expect(log.events == [true])
  }

  @Test func `cancellation precludes completion`() async {
    let future = Future()
    future.onComplete { Issue.record("a completion handler ran after a cancellation") }
    future.cancel()
    future.complete()
    #expect(await future.handlersFinished == .cancelled)
    #expect(future.isCancelled)
    #expect(!future.isCompleted)
  }

  @Test func `completion precludes cancellation`() async {
    let future = Future()
    future.onCancel { Issue.record("a cancellation handler ran after a completion") }
    future.complete()
    future.cancel()
    #expect(await future.handlersFinished == .completed)
    #expect(future.isCompleted)
    #expect(!future.isCancelled)
  }

  @Test func `cancellation handlers are called when it is cancelled`() async {
    let future = Future()
    let called = Gate("cancellation handler")
    future.onCancel { called.open() }
    future.cancel()
    await called.passed()
  }

  @Test func `completion handlers are called when it completes`() async {
    let future = Future()
    let called = Gate("completion handler")
    future.onComplete { called.open() }
    future.complete()
    await called.passed()
  }

  @Test func `cancellation handlers that are added after cancelling are called`() async {
    let future = Future()
    let called = Gate("cancellation handler")
    future.cancel()
    future.onCancel { called.open() }
    await called.passed()
  }

  @Test func `completion handlers that are added after completing are called`() async {
    let future = Future()
    let called = Gate("completion handler")
    future.complete()
    future.onComplete { called.open() }
    await called.passed()
  }

  @Test func `completion handlers aren't called when it is cancelled, early or late`() async {
    let future = Future()
    let log = EventLog<String>()
    future.onComplete { log.add("early completion handler") }
    future.cancel()
    future.onComplete { log.add("late completion handler") }
    future.onCancel { log.add("cancellation handler") }
    #expect(await future.handlersFinished == .cancelled)
    #expect(log.events == ["cancellation handler"])
  }

  @Test func `cancellation handlers aren't called when it completes, early or late`() async {
    let future = Future()
    let log = EventLog<String>()
    future.onCancel { log.add("early cancellation handler") }
    future.complete()
    future.onCancel { log.add("late cancellation handler") }
    future.onComplete { log.add("completion handler") }
    #expect(await future.handlersFinished == .completed)
    #expect(log.events == ["completion handler"])
  }

  @Test func `several completion handlers are each called`() async {
    let future = Future()
    let log = EventLog<Int>()
    for index in 0..<3 { future.onComplete { log.add(index) } }
    future.complete()
    #expect(await future.handlersFinished == .completed)
    #expect(log.events == [0, 1, 2])
  }

  @Test func `several cancellation handlers are each called`() async {
    let future = Future()
    let log = EventLog<Int>()
    for index in 0..<3 { future.onCancel { log.add(index) } }
    future.cancel()
    #expect(await future.handlersFinished == .cancelled)
    #expect(log.events == [0, 1, 2])
  }

  @Test(arguments: [Future.Outcome.completed, .cancelled])
  func `clean-up handlers are called once, at either outcome, early or late`(_ outcome: Future.Outcome) async {
    let future = Future()
    let log = EventLog<String>()
    future.onCleanUp { log.add("early") }
    future.resolve(outcome)
    future.onCleanUp { log.add("late") }
    future.complete()
    future.cancel()
    #expect(await future.handlersFinished == outcome)
    #expect(log.events == ["early", "late"])
  }

  @Test(arguments: [Future.Outcome.completed, .cancelled])
  func `several calls of complete or cancel call each handler once`(_ outcome: Future.Outcome) async {
    let future = Future()
    let log = EventLog<Int>()
    future.onCancel { log.add(1) }
    future.onCancel { log.add(2) }
    future.onComplete { log.add(1) }
    future.onComplete { log.add(2) }
    for _ in 0..<5 { future.resolve(outcome) }
    #expect(await future.handlersFinished == outcome)
    #expect(log.events == [1, 2])
  }

  @Test func `complete with a handler adds it and completes`() async {
    let future = Future()
    let log = EventLog<Int>()
    future.onComplete { log.add(1) }
    future.complete { log.add(2) }
    #expect(future.isCompleted)
    #expect(await future.handlersFinished == .completed)
    #expect(log.events == [1, 2])
  }

  @Test func `cancel with a handler adds it and cancels`() async {
    let future = Future()
    let log = EventLog<Int>()
    future.onCancel { log.add(1) }
    future.cancel { log.add(2) }
    #expect(future.isCancelled)
    #expect(await future.handlersFinished == .cancelled)
    #expect(log.events == [1, 2])
  }

  @Test func `complete with a handler doesn't call it when the future was cancelled`() async {
    let future = Future()
    future.cancel()
    future.complete { Issue.record("a completion handler ran after a cancellation") }
    #expect(await future.handlersFinished == .cancelled)
  }

  @Test(arguments: [Future.Outcome.completed, .cancelled])
  func `calls are serialized: the first one dequeued wins`(_ outcome: Future.Outcome) async {
    let future = Future()
    let gate = Gate("line")
    let log = EventLog<Future.Outcome>()
    future.onCleanUp { log.add($0) }
    future.standStill(until: gate)
    future.resolve(outcome)
    future.resolve(outcome == .completed ? .cancelled : .completed)
    gate.open()
    #expect(await future.handlersFinished == outcome)
    #expect(log.events == [outcome])
  }

  @Test func `a performed block can look at the future, which doesn't change meanwhile`() async {
    let future = Future()
    let (entered, leave) = (Gate("block runs"), Gate("cancelled"))
    let log = EventLog<String>()
    future.onCancel(on: .inline) { log.add("handler") }
    future.perform {
      log.add("cancelled: \(future.isCancelled), completed: \(future.isCompleted)")
      entered.open()
      leave.wait()
      log.add("cancelled: \(future.isCancelled), completed: \(future.isCompleted)")
    }
    await entered.passed()
    future.cancel()
    leave.open()
    #expect(await future.handlersFinished == .cancelled)
    let unchanged = "cancelled: false, completed: false"
    #expect(log.events == [unchanged, unchanged, "handler"])
  }

  @Test func `handlers and performed blocks never run at the same time`() async {
    final class Counter: @unchecked Sendable { var value = 0 }  // guarded by the private queue, if that is one
    let future = Future()
    let counter = Counter()
    await onThreads(
      (0..<4).map { index in
        {
          for round in 0..<250 {
            future.onCleanUp { counter.value += 1 }
            future.perform { counter.value += 1 }
            if index == 0, round == 100 { future.complete() }
          }
        }
      }
    )
    _ = await future.handlersFinished
    #expect(future.performAndWait { counter.value } == 2_000)
  }
}
