// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

@Suite struct RegistrationTests {
  @Test(arguments: [Future.Outcome.completed, .cancelled])
  func `remove before the outcome keeps the handler from running`(_ outcome: Future.Outcome) async {
    let future = Future()
    for context in [HandlerPlace.serialQueue, .inline, .main] {
      #expect(future.onComplete(on: context) { Issue.record("a removed handler ran") }.unregister())
      #expect(future.onCancel(on: context) { Issue.record("a removed handler ran") }.unregister())
      #expect(future.onCancel(on: context) { _ in Issue.record("a removed handler ran") }.unregister())
      #expect(future.onCleanUp(on: context) { Issue.record("a removed handler ran") }.unregister())
      #expect(future.onCleanUp(on: context) { _ in Issue.record("a removed handler ran") }.unregister())
    }
    future.resolve(outcome)
    #expect(await future.handlersFinished == outcome)
  }

  @Test func `only the first remove says that it kept the handler from running`() {
    let future = Future()
    let registration = future.onComplete {}
    let copy = registration
    #expect(registration.unregister())
    #expect(!registration.unregister())
    #expect(!copy.unregister())
  }

  @Test func `dropping a registration changes nothing`() async {
    let future = Future()
    let log = EventLog<Int>()
    do {
      _ = future.onComplete { log.add(1) }
    }
    future.complete()
    #expect(await future.handlersFinished == .completed)
    #expect(log.events == [1])
  }

  @Test func `a removed handler is released before remove returns`() {
    let future = Future()
    let live = LiveCount()
    let registration = future.onComplete { [instance = live.make()] in instance.touch() }
    #expect(live.value == 1)
    registration.unregister()
    #expect(live.value == 0)
  }

  @Test func `a handler that ran can't be removed`() async {
    let future = Future()
    let registrations = [future.onComplete {}, future.onComplete(on: .inline) {}, future.onCleanUp(on: .main) {}]
    future.complete()
    #expect(await future.handlersFinished == .completed)
    #expect(registrations.map { $0.unregister() } == [false, false, false])
  }

  @Test func `a handler that doesn't belong to the outcome can't be removed after it`() async {
    let future = Future()
    let early = future.onCancel {}
    future.complete()
    #expect(await future.handlersFinished == .completed)
    let late = future.onCancel {}
    #expect(!early.unregister())
    #expect(!late.unregister())
  }

  @Test(arguments: [[0], [1], [2], [0, 1], [0, 2], [2, 1], [1, 0, 2]])
  func `the others keep their order`(_ removed: [Int]) async {
    let future = Future()
    let log = EventLog<Int>()
    let registrations = (0..<3).map { index in future.onComplete { log.add(index) } }
    for index in removed { #expect(registrations[index].unregister()) }
    future.onComplete { log.add(3) }
    future.complete()
    #expect(await future.handlersFinished == .completed)
    #expect(log.events == [0, 1, 2, 3].filter { !removed.contains($0) })
  }

  @Test func `a registration keeps its future`() {
    func register() -> (Registration, Weak<Future>) {
      let future = Future()
      return (future.onComplete {}, Weak(future))
    }
    let (registration, future) = register()
    #expect(!future.isGone)
    #expect(registration.unregister())
  }

  // MARK: After the outcome

  @Test func `a handler behind a blocked one can be removed after the outcome`() async {
    let future = Future()
    let (entered, gate) = (Gate("handler runs"), Gate("handler"))
    let live = LiveCount()
    let log = EventLog<Int>()
    future.onComplete {
      entered.open()
      gate.wait()
      log.add(1)
    }
    let second = future.onComplete { [instance = live.make()] in
      instance.touch()
      log.add(2)
    }
    future.onComplete { log.add(3) }
    future.complete()
    let late = future.onComplete { [instance = live.make()] in
      instance.touch()
      log.add(4)
    }
    await entered.passed()
    #expect(second.unregister())
    #expect(late.unregister())
    #expect(live.value == 0)
    #expect(!second.unregister())
    gate.open()
    #expect(await future.handlersFinished == .completed)
    #expect(log.events == [1, 3])
  }

  @Test func `a handler on a given queue can be removed until that queue comes to it`() async {
    let future = Future()
    let queue = DispatchQueue(label: "suspended")
    queue.suspend()
    let early = future.onComplete(on: queue) { Issue.record("a removed handler ran") }
    future.complete()
    let late = future.onComplete(on: queue) { Issue.record("a removed handler ran") }
    #expect(early.unregister())
    #expect(late.unregister())
    queue.resume()
    #expect(await future.handlersFinished == .completed)
  }

  @Test func `a handler can remove the next one`() async {
    let future = Future()
    let log = EventLog<String>()
    let queued = EventLog<Registration>()
    future.onComplete(on: .inline) { for registration in queued.events { log.add("\(registration.unregister())") } }
    queued.add(future.onComplete(on: .inline) { log.add("inline") })
    queued.add(future.onComplete { log.add("private queue") })
    let batch = EventLog<Registration>()
    future.onComplete { for registration in batch.events { log.add("\(registration.unregister()) in batch") } }
    batch.add(future.onComplete { log.add("in batch") })
    future.complete()
    #expect(await future.handlersFinished == .completed)
    #expect(log.events == ["true", "true", "true in batch"])
    queued.removeAll()
    batch.removeAll()
  }

  @Test(arguments: [HandlerPlace.inline, .serialQueue])
  func `what doesn't belong to the outcome can't be removed, not even before its handlers have been looked at`(
    _ context: HandlerPlace
  ) {
    let inHandler = Future()
    let log = EventLog<Bool>()
    let registrations = EventLog<Registration>()
    // The first inline handler has no node; the other ones have.
    let first = inHandler.onComplete(on: context) {}
    inHandler.onCancel(on: .inline) { log.add(registrations.events[0].unregister()) }
    registrations.add(inHandler.onComplete(on: context) {})
    inHandler.cancel()
    #expect(log.events == [false])
    #expect(!first.unregister())

    let held = Future()
    let early = [held.onComplete(on: context) {}, held.onComplete(on: context) {}]
    let removed = held.performAndWait {
      held.cancel()
      return early.map { $0.unregister() }
    }
    #expect(removed == [false, false])
  }

  @Test func `what a tree's handlers remove below themselves says whether it would have run`() {
    let (parent, child) = (Future(), Future())
    parent.cascadeCancellation(to: child)
    let log = EventLog<Bool>()
    let others = [child.onComplete(on: .inline) {}, child.onComplete(on: .inline) {}]
    let own = child.onCancel(on: .inline) { log.add(true) }
    parent.onCancel(on: .inline) { for registration in others + [own] { log.add(registration.unregister()) } }
    parent.cancel()
    #expect(log.events == [false, false, true])
  }

  @Test func `a running handler can't remove itself`() async {
    let future = Future()
    let log = EventLog<Bool>()
    let own = EventLog<Registration>()
    own.add(future.onComplete { for registration in own.events { log.add(registration.unregister()) } })
    future.complete()
    #expect(await future.handlersFinished == .completed)
    #expect(log.events == [false])
    own.removeAll()
  }

  @Test func `a handler removed after a decision inside a perform block doesn't run`() async {
    let future = Future()
    let registration = future.onComplete(on: .inline) { Issue.record("a removed handler ran") }
    let log = EventLog<Bool>()
    future.perform {
      future.complete()
      log.add(registration.unregister())
    }
    #expect(await future.handlersFinished == .completed)
    #expect(log.events == [true])
  }

  @Test(arguments: [0, 1, 2])
  func `of removed and ran exactly one holds`(_ place: Int) async {
    struct Contest: Sendable {
      let future = Future()
      let ran = EventLog<Bool>()
      let removed = EventLog<Bool>()
      let registration: Registration
      init(_ context: HandlerPlace) {
        registration = future.onComplete(on: context) { [ran] in ran.add(true) }
        future.onComplete(on: context) {}
      }
    }
    let queue = DispatchQueue(label: "given")
    let context = [HandlerPlace.inline, .serialQueue, queue.handlerPlace][place]
    await stress(
      rounds: iterations(700),
      make: { Contest(context) },
      actors: [
        { $0.future.complete() },
        { if $0.registration.unregister() { $0.removed.add(true) } },
        { if $0.registration.unregister() { $0.removed.add(true) } },
      ],
      verify: { contest in
        // On the same queue, behind the handler.
        contest.future.performAndWait {}
        queue.sync {}
        #expect(contest.ran.events.count + contest.removed.events.count == 1)
      }
    )
  }

  @Test func `its mirror shows the future, and nothing of what is inside`() {
    let future = Future(label: "f")
    for context in [HandlerPlace.inline, .serialQueue] {
      let registration = future.onComplete(on: context) {}
      var text = ""
      dump(registration, to: &text)
      #expect(text.contains("pending, 1 handler)") || text.contains("pending, 2 handlers)"))
      #expect(!text.contains("HandlerNode"))
    }
  }
}
