// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

@Suite struct FutureObservingTests {
  /// The contexts, in a form that a test can have as its argument.
  enum Place: CaseIterable, Sendable {
    case serialQueue, inline, queue, main
  }

  private let target = MarkedQueue("target")
  private let other = MarkedQueue("other")

  private func context(_ place: Place) -> HandlerPlace {
    switch place {
    case .serialQueue: .serialQueue
    case .inline: .inline
    case .queue: other.queue.handlerPlace
    case .main: .main
    }
  }

  /// Adds one handler of each kind; each says what it is.
  private func addAll(to future: Future, on context: HandlerPlace, _ log: EventLog<String>) {
    future.onComplete(on: context) { log.add("complete") }
    future.onCancel(on: context) { log.add("cancel") }
    future.onCancel(on: context) { error in log.add("cancel: \(reason(error)?.text ?? "?")") }
    future.onCleanUp(on: context) { log.add("clean up") }
    future.onCleanUp(on: context) { outcome in log.add("clean up: \(outcome)") }
  }

  @Test(arguments: Place.allCases, [false, true])
  func `at a completion its handlers and the clean-up handlers run, in order`(_ place: Place, _ late: Bool) async {
    let future = Future()
    let log = EventLog<String>()
    if late { future.complete() }
    addAll(to: future, on: context(place), log)
    if !late {
      #expect(log.events == [])
      future.complete()
    }
    #expect(await future.handlersFinished == .completed)
    #expect(log.events == ["complete", "clean up", "clean up: completed"])
  }

  @Test(arguments: Place.allCases, [false, true])
  func `at a cancellation its handlers and the clean-up handlers run, in order`(_ place: Place, _ late: Bool) async {
    let future = Future()
    let log = EventLog<String>()
    if late { future.cancel(throwing: Reason("first")) }
    addAll(to: future, on: context(place), log)
    if !late {
      #expect(log.events == [])
      future.cancel(throwing: Reason("first"))
    }
    future.cancel(throwing: Reason("second"))
    #expect(await future.handlersFinished == .cancelled)
    #expect(log.events == ["cancel", "cancel: first", "clean up", "clean up: cancelled"])
  }

  @Test(arguments: [false, true])
  func `by default a handler runs on the private queue`(_ late: Bool) async {
    let future = Future(target: target.queue)
    let log = EventLog<Bool>()
    if late { future.cancel() }
    future.onCancel { [target] in log.add(target.isCurrent) }
    future.onCancel { [target] _ in log.add(target.isCurrent) }
    future.onCleanUp { [target] in log.add(target.isCurrent) }
    future.onCleanUp { [target] _ in log.add(target.isCurrent) }
    future.cancel()
    _ = await future.handlersFinished
    let completed = Future(target: target.queue)
    completed.onComplete { [target] in log.add(target.isCurrent) }
    completed.complete()
    _ = await completed.handlersFinished
    #expect(log.events == [true, true, true, true, true])
  }

  @Test(arguments: [false, true])
  func `a handler for a given queue runs there`(_ late: Bool) async {
    let future = Future(target: target.queue)
    let log = EventLog<Bool>()
    if late { future.complete() }
    future.onComplete(on: other.queue) { [target, other] in log.add(other.isCurrent && !target.isCurrent) }
    future.complete()
    #expect(await future.handlersFinished == .completed)
    #expect(log.events == [true])
  }

  @Test(arguments: [false, true])
  func `a handler for main runs on the main queue`(_ late: Bool) async {
    let future = Future()
    if late { future.complete() }
    future.onComplete(on: .main) { dispatchPrecondition(condition: .onQueue(.main)) }
    future.complete()
    #expect(await future.handlersFinished == .completed)
  }

  // MARK: Inline

  @Test func `what is to run after the delivery runs at once if that is over`() {
    let log = EventLog<String>()
    let future = Future()
    future.onDelivered { log.add("delivered") }
    #expect(log.events.isEmpty)
    future.complete()
    future.onDelivered { log.add("delivered already") }
    #expect(log.events == ["delivered", "delivered already"])
  }

  @Test func `an inline handler runs on the resolving thread before the call returns`() async {
    await onThread {
      let future = Future()
      let log = EventLog<Bool>()
      let resolver = ObjectIdentifier(Thread.current)
      future.onCancel(on: .inline) { log.add(ObjectIdentifier(Thread.current) == resolver) }
      future.cancel()
      #expect(log.events == [true])
    }
  }

  @Test func `a late inline handler runs on the registering thread before the call returns`() async {
    let future = Future()
    future.cancel()
    await onThread {
      let log = EventLog<Bool>()
      let registrant = ObjectIdentifier(Thread.current)
      let registration = future.onCancel(on: .inline) { log.add(ObjectIdentifier(Thread.current) == registrant) }
      #expect(log.events == [true])
      #expect(!registration.unregister())
    }
  }

  @Test func `a late inline handler doesn't wait for handlers that still run elsewhere`() async {
    let future = Future()
    let gate = Gate("handler")
    let log = EventLog<String>()
    future.onComplete {
      gate.wait()
      log.add("queue")
    }
    future.complete()
    future.onComplete(on: .inline) { log.add("inline") }
    #expect(log.events == ["inline"])
    gate.open()
    #expect(await future.handlersFinished == .completed)
    #expect(log.events == ["inline", "queue"])
  }

  @Test func `a decision that was queued runs inline handlers on the private queue`() async {
    let future = Future(target: target.queue)
    let gate = Gate("perform")
    let log = EventLog<Bool>()
    future.onComplete(on: .inline) { [target] in log.add(target.isCurrent) }
    future.standStill(until: gate)
    future.complete()
    #expect(log.events == [])
    gate.open()
    #expect(await future.handlersFinished == .completed)
    #expect(log.events == [true])
  }

  // MARK: Order

  @Test func `handlers are dispatched in order of registration, whatever their contexts`() async {
    let future = Future()
    let log = EventLog<String>()
    let queue = other.queue
    future.onComplete(on: queue) { log.add("1 on the queue") }
    future.onComplete(on: .inline) { queue.async { log.add("2 inline, sent on") } }
    future.onComplete(on: queue) { log.add("3 on the queue") }
    future.onComplete(on: .inline) { queue.async { log.add("4 inline, sent on") } }
    future.complete()
    await other.drained()
    #expect(log.events == ["1 on the queue", "2 inline, sent on", "3 on the queue", "4 inline, sent on"])
  }

  @Test func `an inline handler has its place between handlers on the private queue`() async {
    let future = Future()
    let log = EventLog<String>()
    future.onComplete { log.add("1") }
    future.onComplete(on: .inline) { future.perform { log.add("2: its perform block") } }
    future.onComplete { log.add("3") }
    future.complete()
    _ = await future.handlersFinished
    #expect(log.events == ["1", "2: its perform block", "3"])
  }

  @Test func `many handlers on the private queue run in order of registration`() async {
    let future = Future()
    let log = EventLog<Int>()
    for index in 0..<1_000 {
      switch index % 3 {
      case 0: future.onComplete { log.add(index) }
      case 1: future.onCleanUp { log.add(index) }
      default: future.onCancel { log.add(index) }
      }
    }
    future.complete()
    _ = await future.handlersFinished
    #expect(log.events == (0..<1_000).filter { $0 % 3 != 2 })
  }

  @Test func `a late handler doesn't overtake those that have not run`() async {
    let future = Future()
    let gate = Gate("first handler")
    let log = EventLog<Int>()
    future.onComplete {
      gate.wait()
      log.add(1)
    }
    future.onComplete { log.add(2) }
    future.complete()
    future.onComplete { log.add(3) }
    future.onCleanUp { log.add(4) }
    gate.open()
    _ = await future.handlersFinished
    #expect(log.events == [1, 2, 3, 4])
  }

  @Test func `a handler added by an inline handler doesn't overtake those registered before`() async {
    let future = Future()
    let log = EventLog<Int>()
    future.onComplete(on: .inline) { [other] in
      future.onComplete { log.add(3) }
      future.onComplete(on: other.queue) {}
    }
    future.onComplete { log.add(1) }
    future.onComplete { log.add(2) }
    future.complete()
    _ = await future.handlersFinished
    #expect(log.events == [1, 2, 3])
  }

  @Test func `a handler added by a running handler runs as well`() async {
    let future = Future()
    let log = EventLog<Int>()
    future.onCancel {
      log.add(1)
      future.onCancel {
        log.add(3)
        future.onCleanUp(on: .inline) { log.add(4) }
      }
      future.onComplete { log.add(99) }
    }
    future.onCancel { log.add(2) }
    future.cancel()
    _ = await future.handlersFinished
    #expect(log.events == [1, 2, 3, 4])
  }

  @Test func `the same closure registered twice runs twice`() async {
    let future = Future()
    let log = EventLog<Int>()
    let handler: @Sendable () -> Void = { log.add(1) }
    future.onComplete(handler)
    future.onComplete(handler)
    future.complete()
    _ = await future.handlersFinished
    #expect(log.events == [1, 1])
  }

  // MARK: Release

  @Test(arguments: [Future.Outcome.completed, .cancelled])
  func `at the outcome every handler is released, also if its registration is kept`(_ outcome: Future.Outcome) async {
    let future = Future()
    let live = LiveCount()
    var registrations: [Registration] = []
    for place in Place.allCases {
      registrations.append(future.onComplete(on: context(place)) { [instance = live.make()] in instance.touch() })
      registrations.append(future.onCancel(on: context(place)) { [instance = live.make()] in instance.touch() })
      registrations.append(future.onCancel(on: context(place)) { [instance = live.make()] _ in instance.touch() })
      registrations.append(future.onCleanUp(on: context(place)) { [instance = live.make()] in instance.touch() })
      registrations.append(future.onCleanUp(on: context(place)) { [instance = live.make()] _ in instance.touch() })
    }
    #expect(live.value == 5 * Place.allCases.count)
    future.resolve(outcome)
    #expect(await future.handlersFinished == outcome)
    #expect(live.value == 0)
    #expect(registrations.allSatisfy { !$0.unregister() })
  }

  @Test func `a late handler for the other outcome is released at once`() {
    let future = Future()
    let live = LiveCount()
    future.complete()
    let registration = future.onCancel { [instance = live.make()] in
      instance.touch()
      Issue.record("a cancellation handler of a completed future ran")
    }
    #expect(live.value == 0)
    #expect(!registration.unregister())
  }
}
