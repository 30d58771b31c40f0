// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

@Suite struct FutureResolvingTests {
  @Test func `a new future is pending`() {
    let future = Future()
    #expect(future.isPending)
    #expect(!future.isCompleted)
    #expect(!future.isCancelled)
    #expect(future.cancellationReason == nil)
  }

  @Test func `a completed future stays completed`() {
    let future = Future()
    future.complete()
    future.cancel(throwing: Reason("late"))
    future.complete()
    #expect(!future.isPending)
    #expect(future.isCompleted)
    #expect(!future.isCancelled)
    #expect(future.cancellationReason == nil)
  }

  @Test func `a cancelled future stays cancelled and keeps the first reason`() {
    let future = Future()
    future.cancel(throwing: Reason("first"))
    future.complete()
    future.cancel(throwing: Reason("second"))
    #expect(!future.isPending)
    #expect(!future.isCompleted)
    #expect(future.isCancelled)
    #expect(reason(future.cancellationReason) == Reason("first"))
  }

  @Test func `without a reason it is cancelled with CancellationError`() {
    let future = Future()
    future.cancel()
    #expect(future.cancellationReason is CancellationError)
  }

  @Test func `a try tells whether it was this call that decided`() {
    let completed = Future()
    #expect(completed.tryComplete())
    #expect(!completed.tryComplete())
    #expect(!completed.tryCancel())
    #expect(completed.isCompleted)

    let cancelled = Future()
    #expect(cancelled.tryCancel(throwing: Reason("mine")))
    #expect(!cancelled.tryCancel(throwing: Reason("other")))
    #expect(!cancelled.tryComplete())
    #expect(reason(cancelled.cancellationReason) == Reason("mine"))
  }

  @Test func `a try that comes after a plain decision lost`() {
    let future = Future()
    future.cancel()
    #expect(!future.tryComplete())
    #expect(!future.tryCancel())
  }

  @Test func `of many threads that try, exactly one is told that it won`() async {
    struct Contest: Sendable {
      let future = Future()
      let winners = EventLog<Future.Outcome>()
    }
    await stress(
      rounds: iterations(1_500),
      make: { Contest() },
      actors: [
        { if $0.future.tryComplete() { $0.winners.add(.completed) } },
        { if $0.future.tryCancel() { $0.winners.add(.cancelled) } },
        { if $0.future.tryComplete() { $0.winners.add(.completed) } },
      ],
      verify: { contest in
        #expect(contest.winners.events == [contest.future.isCompleted ? .completed : .cancelled])
      }
    )
  }

  @Test(arguments: [Future.Outcome.completed, .cancelled])
  func `an idle future is resolved in place, on the calling thread`(_ outcome: Future.Outcome) {
    let future = Future()
    let caller = ObjectIdentifier(Thread.current)
    let log = EventLog<Bool>()
    future.onCleanUp(on: .inline) { log.add(ObjectIdentifier(Thread.current) == caller) }
    future.resolve(outcome)
    #expect(log.events == [true])
    #expect(!future.isPending)
  }

  @Test(arguments: [Future.Outcome.completed, .cancelled])
  func `a decision is queued behind a perform block and doesn't block its caller`(_ outcome: Future.Outcome) async {
    let future = Future()
    let gate = Gate("perform")
    future.standStill(until: gate)
    future.resolve(outcome)
    #expect(future.isPending)
    gate.open()
    #expect(await future.outcome == outcome)
  }

  @Test(arguments: [Future.Outcome.completed, .cancelled])
  func `of queued decisions the first one wins`(_ outcome: Future.Outcome) async {
    let future = Future()
    let gate = Gate("perform")
    future.standStill(until: gate)
    switch outcome {
    case .completed:
      future.complete()
      future.cancel()
    case .cancelled:
      future.cancel(throwing: Reason("first"))
      future.complete()
      future.cancel(throwing: Reason("second"))
    }
    gate.open()
    #expect(await future.outcome == outcome)
    #expect(reason(future.cancellationReason) == (outcome == .cancelled ? Reason("first") : nil))
  }

  @Test func `a try waits for the perform block before it`() async {
    let future = Future()
    let gate = Gate("perform")
    let log = EventLog<String>()
    future.perform {
      gate.wait()
      log.add("block, pending: \(future.isPending)")
    }
    startThread { gate.open() }
    let won = await onThread {
      defer { log.add("tried") }
      return future.tryCancel()
    }
    #expect(won)
    #expect(log.events == ["block, pending: true", "tried"])
  }

  @Test func `a try loses against a decision that is queued before it`() async {
    let future = Future()
    let gate = Gate("perform")
    future.standStill(until: gate)
    future.cancel()
    startThread { gate.open() }
    #expect(await onThread { !future.tryComplete() })
    #expect(future.isCancelled)
  }

  @Test func `a try inside a perform block decides at once and its handlers start after the block`() async {
    let future = Future()
    let log = EventLog<String>()
    future.onComplete(on: .inline) { log.add("handler") }
    future.perform {
      log.add("won: \(future.tryComplete()), again: \(future.tryComplete()), completed: \(future.isCompleted)")
      log.add("end of block")
    }
    #expect(await future.handlersFinished == .completed)
    #expect(log.events == ["won: true, again: false, completed: true", "end of block", "handler"])
  }

  @Test func `complete with a handler completes and runs the handler once on the private queue`() async {
    let target = MarkedQueue()
    let future = Future(target: target.queue)
    let log = EventLog<Bool>()
    future.complete { log.add(target.isCurrent && future.isCompleted) }
    #expect(await future.handlersFinished == .completed)
    future.complete { log.add(target.isCurrent) }
    #expect(await future.handlersFinished == .completed)
    #expect(log.events == [true, true])
  }

  @Test func `complete with a handler releases the handler of a cancelled future`() {
    let future = Future()
    let live = LiveCount()
    future.cancel()
    future.complete { [instance = live.make()] in
      instance.touch()
      Issue.record("a completion handler of a cancelled future ran")
    }
    #expect(live.value == 0)
    #expect(future.isCancelled)
  }

  @Test func `cancel with a handler cancels and runs the handler once on the private queue`() async {
    let target = MarkedQueue()
    let future = Future(target: target.queue)
    let log = EventLog<Bool>()
    future.cancel { log.add(target.isCurrent && future.isCancelled) }
    #expect(await future.handlersFinished == .cancelled)
    future.cancel { log.add(target.isCurrent) }
    #expect(await future.handlersFinished == .cancelled)
    #expect(log.events == [true, true])
    #expect(future.cancellationReason is CancellationError)
  }

  @Test func `cancel with a handler releases the handler of a completed future`() {
    let future = Future()
    let live = LiveCount()
    future.complete()
    future.cancel { [instance = live.make()] in
      instance.touch()
      Issue.record("a cancellation handler of a completed future ran")
    }
    #expect(live.value == 0)
    #expect(future.isCompleted)
  }

  @Test func `complete returns also while others go on adding late handlers for a queue`() async {
    let future = Future()
    let (added, returned) = (Gate("late handlers were added"), Gate("complete has returned"))
    let queue = DispatchQueue(label: "late handlers")
    let vain = EventLog<Int>()
    // The delivery stands still until the others have begun, and they end only after it.
    future.onComplete(on: .inline) { added.wait() }
    let adder: @Sendable () -> Void = {
      let end = DispatchTime.muchLater
      var number = 0
      while number < 2_000 || !returned.isOpen, DispatchTime.now() < end {
        future.onComplete(on: queue) {}
        number += 1
        if number == 2_000 { added.open() }
      }
      if !returned.isOpen { vain.add(number) }
    }
    let completer: @Sendable () -> Void = {
      future.complete()
      returned.open()
    }
    // So many that handlers are added faster than one thread can dispatch them.
    await onThreads([completer] + Array(repeating: adder, count: 8))
    #expect(vain.events.isEmpty, "complete hadn't returned")
    #expect(await future.handlersFinished == .completed)
  }

  @Test func `every thread's own completion handler runs once`() async {
    let future = Future()
    let log = EventLog<Int>()
    await onThreads((0..<16).map { index in { future.complete { log.add(index) } } })
    #expect(await future.handlersFinished == .completed)
    #expect(log.events.sorted() == Array(0..<16))
  }

  @Test func `resolving again inside a handler changes nothing`() async {
    let future = Future()
    let log = EventLog<Bool>()
    future.onComplete {
      future.cancel()
      log.add(future.tryCancel())
      log.add(future.tryComplete())
      future.complete()
      log.add(future.isCompleted)
    }
    future.complete()
    #expect(await future.handlersFinished == .completed)
    #expect(log.events == [false, false, true])
  }
}
