// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import RaceFreeFuture
import RaceFreeFutureTesting
import Synchronization
import TestSupport
import Testing

/// The guarantees of the guide, by their numbers, each with the words it has there.
///
/// Their hard cases, against random programs and under stress, are in `ReferenceModel` and `Races`.
@Suite struct LawTests {
  // MARK: L1 One outcome

  @Test func `L1 a future is pending, then completed or cancelled, forever`() {
    let future = Future()
    #expect(future.isPending && !future.isCompleted && !future.isCancelled)
    future.complete()
    future.cancel()
    #expect(!future.isPending && future.isCompleted && !future.isCancelled)
    let other = Future()
    other.cancel()
    other.complete()
    #expect(!other.isPending && !other.isCompleted && other.isCancelled)
  }

  @Test func `L1 the first complete or cancel to take its turn wins and the others do nothing`() {
    struct Second: Error {}
    let future = Future()
    #expect(future.tryCancel(throwing: TimeoutError(interval: .seconds(1), label: "first")))
    #expect(!future.tryCancel(throwing: Second()))
    #expect(!future.tryComplete())
    #expect(future.cancellationReason is TimeoutError)
  }

  // MARK: L2 Exactly once

  @Test(arguments: [Future.Outcome.completed, .cancelled])
  func `L2 every handler of the outcome is dispatched once and no handler of the other ever is`(
    outcome: Future.Outcome
  ) async {
    let future = Future()
    let log = EventLog<String>()
    future.onComplete { log.add("complete") }
    future.onCancel { log.add("cancel") }
    future.onCancel { (_: any Error) in log.add("cancel") }
    future.onCleanUp { log.add("clean up") }
    future.onCleanUp { (told: Future.Outcome) in log.add("clean up \(told)") }
    for _ in 0..<3 { outcome == .completed ? future.complete() : future.cancel() }
    for _ in 0..<3 { outcome == .completed ? future.cancel() : future.complete() }
    #expect(await future.handlersFinished == outcome)
    let expected =
      outcome == .completed
      ? ["complete", "clean up", "clean up completed"]
      : ["cancel", "cancel", "clean up", "clean up cancelled"]
    #expect(log.events == expected)
  }

  // MARK: L3 Late handlers

  @Test func `L3 handlers added after the outcome are dispatched at once if they match it`() async {
    let future = Future()
    let log = EventLog<Int>()
    future.complete()
    future.onComplete(on: .inline) { log.add(1) }
    #expect(log.events == [1], "a late inline handler has run when the call returns")
    future.onComplete { log.add(2) }
    future.onCleanUp { log.add(3) }
    #expect(await future.handlersFinished == .completed)
    #expect(log.events == [1, 2, 3])
  }

  @Test func `L3 handlers added after the other outcome are dropped and released`() async {
    let future = Future()
    let live = LiveCount()
    future.complete()
    let instance = live.make()
    let registration = future.onCancel { instance.touch() }
    #expect(!registration.unregister())
    _ = consume instance
    #expect(live.value == 0)
  }

  @Test func `L3 a late handler never overtakes those that are being dispatched`() async {
    let future = Future()
    let queue = DispatchQueue(label: "given")
    let log = EventLog<Int>()
    future.onComplete(on: .inline) {
      future.onComplete(on: queue) { log.add(2) }
      future.onComplete(on: queue) { log.add(3) }
    }
    future.onComplete(on: queue) { log.add(1) }
    future.complete()
    #expect(await future.handlersFinished == .completed)
    #expect(log.events == [1, 2, 3])
  }

  // MARK: L4 Turns

  @Test func `L4 handlers and perform blocks run on the private queue, never two at once`() async {
    let future = Future()
    let inside = Atomic(0)
    let most = Atomic(0)
    let visit: @Sendable () -> Void = {
      let now = inside.add(1, ordering: .sequentiallyConsistent).newValue
      most.max(now, ordering: .sequentiallyConsistent)
      inside.subtract(1, ordering: .sequentiallyConsistent)
    }
    for _ in 0..<50 { future.onCleanUp { visit() } }
    await onThreads(
      (0..<4).map { index in
        {
          for _ in 0..<100 { future.perform { visit() } }
          if index == 2 { future.cancel() }
          for _ in 0..<100 { future.onCleanUp { visit() } }
        }
      }
    )
    #expect(await future.handlersFinished == .cancelled)
    #expect(most.load(ordering: .sequentiallyConsistent) == 1)
  }

  @Test func `L4 handlers run in the order in which they were added and blocks in the order of the calls`() async {
    let future = Future()
    let log = EventLog<Int>()
    for index in 0..<100 { future.onComplete { log.add(index) } }
    future.complete()
    for index in 100..<200 { future.onComplete { log.add(index) } }
    #expect(await future.handlersFinished == .completed)
    #expect(log.events == Array(0..<200))
    log.removeAll()
    for index in 0..<100 { future.perform { log.add(index) } }
    await future.withTurn {}
    #expect(log.events == Array(0..<100))
  }

  @Test func `L4 complete and cancel are queued behind a perform block without blocking their caller`() async {
    for _ in 0..<iterations(200) {
      let future = Future()
      let log = EventLog<String>()
      let gate = Gate("block A")
      future.perform {
        gate.wait()
        log.add("A pending \(future.isPending)")
      }
      future.cancel()
      #expect(future.isPending, "it came back, though block A still runs")
      future.perform { log.add("B cancelled \(future.isCancelled)") }
      gate.open()
      await future.withTurn {}
      #expect(log.events == ["A pending true", "B cancelled true"])
    }
  }

  @Test func `L4 complete and cancel take their turn in place when no block is queued`() async {
    let future = Future()
    let ran = await onThread {
      let thread = ObjectIdentifier(Thread.current)
      let log = EventLog<Bool>()
      future.onCleanUp(on: .inline) { log.add(ObjectIdentifier(Thread.current) == thread) }
      future.complete()
      return log.events
    }
    #expect(ran == [true])
  }

  // MARK: L5 Stable inspection

  @Test func `L5 a future that is pending when a block starts stays pending until the block ends`() async {
    let future = Future()
    let log = EventLog<String>()
    let inside = Gate("block started")
    let cancelled = Gate("cancel was called")
    future.onCancel(on: .inline) { log.add("handler") }
    future.perform {
      inside.open()
      cancelled.wait()
      log.add("still pending \(future.isPending)")
    }
    await inside.passed()
    await onThread { future.cancel() }
    cancelled.open()
    #expect(await future.handlersFinished == .cancelled)
    #expect(log.events == ["still pending true", "handler"])
  }

  @Test func `L5 the handlers of a decision made inside a block start after the block has returned`() async {
    let future = Future()
    let log = EventLog<String>()
    let queue = DispatchQueue(label: "given")
    future.onComplete(on: .inline) { log.add("inline") }
    future.onComplete(on: queue) { log.add("queue") }
    let decided = Gate("decided")
    let added = Gate("late handler added")
    future.perform {
      future.complete()
      log.add("decided \(future.isCompleted)")
      decided.open()
      added.wait()
      queue.sync {}
      log.add("block ends")
    }
    await decided.passed()
    future.onComplete(on: .inline) { log.add("late inline") }
    added.open()
    #expect(await future.handlersFinished == .completed)
    #expect(log.events.prefix(3) == ["decided true", "block ends", "inline"])
    #expect(Set(log.events.suffix(2)) == ["queue", "late inline"])
  }

  @Test
  func `L5 unlessCancelled runs its block only before a cancellation, and another's cancellation waits behind it`()
    async
  {
    let future = Future()
    let log = EventLog<String>()
    let inside = Gate("block started")
    let cancelled = Gate("cancel was called")
    future.unlessCancelled {
      inside.open()
      cancelled.wait()
      log.add("before, pending \(future.isPending)")
    }
    await inside.passed()
    await onThread { future.cancel() }
    future.unlessCancelled { log.add("after") }
    cancelled.open()
    await future.withTurn {}
    #expect(log.events == ["before, pending true"])
    #expect(future.unlessCancelledAndWait { 1 } == nil)
  }

  // MARK: L6 Never blocks, never re-enters

  @Test func `L6 every call may be made inside every handler and every perform block`() async {
    let other = Future()
    for context in [HandlerPlace.serialQueue, .inline, DispatchQueue(label: "given").handlerPlace] {
      let future = Future()
      let everything: @Sendable () -> Void = {
        for future in [future, other] {
          future.cancel()
          future.complete()
          future.tryCancel()
          future.tryComplete()
          future.onCleanUp(on: .inline) {}.unregister()
          future.onCleanUp {}
          future.perform {}
          future.performAndWait {}
          _ = future.unlessCancelledAndWait { 1 }
          future.cancel(after: .seconds(100)).unregister()
          future.cascadeCancellation(to: Future())
          _ = Future.all([future, other])
          _ = future.description
        }
        _ = future.wait()
      }
      future.onCancel(on: context, everything)
      future.perform {
        future.cancel()
        everything()
      }
      #expect(await future.handlersFinished == .cancelled)
    }
  }

  @Test func `L6 no call waits for a handler that is running`() async {
    let future = Future()
    let gate = Gate("handler may end")
    let started = Gate("handler started")
    future.onCleanUp {
      started.open()
      gate.wait()
    }
    future.complete()
    await started.passed()
    await onThread {
      future.cancel()
      future.tryCancel()
      future.onCleanUp {}.unregister()
      future.onCleanUp(on: .inline) {}
      future.cascadeCancellation(to: Future())
      future.cancel(after: .seconds(100))
      #expect(future.wait() == .completed)
    }
    gate.open()
    #expect(await future.handlersFinished == .completed)
  }

  @Test func `L6 no continuation is resumed while the private queue is held`() async {
    let resumer = ResumingThreads()
    // What awaits, and a block after which it goes on: each decision is made on the private queue.
    let waits: [@Sendable (Future) async -> Void] = [
      { try? await $0.value },
      { _ = await $0.outcome },
      { _ = await $0.handlersFinished },
      { await $0.withTurn {} },
    ]
    for wait in Array(repeating: waits, count: 20).joined() {
      let future = Future(target: ResumingThreads.markedQueue())
      future.onComplete {}
      let task = await resumer.park { await wait(future) }
      future.perform { future.complete() }
      await task.value
    }
    #expect(resumer.wasResumedOnQueue.events.count > 80, "some were parked and resumed")
    #expect(!resumer.wasResumedOnQueue.events.contains(true))
  }

  @Test func `L6 no continuation is resumed while the private queue of another future is held`() async {
    let resumer = ResumingThreads()
    for _ in 1...20 {
      let holder = Future(target: ResumingThreads.markedQueue())
      let (completed, cancelled, value) = (Future(), Future(), ValueFuture<Int>())
      let parked = [
        await resumer.park { try? await completed.value },
        await resumer.park { _ = await cancelled.outcome },
        await resumer.park { _ = try? await value.value },
      ]
      holder.perform {
        completed.complete()
        cancelled.cancel()
        value.complete(with: 1)
      }
      for task in parked { await task.value }
    }
    #expect(resumer.wasResumedOnQueue.events.count > 60, "some were parked and resumed")
    #expect(!resumer.wasResumedOnQueue.events.contains(true))
  }

  /// Sees on which queue a task is resumed: a continuation hands its task to the executor on the thread that resumes
  /// it.
  private final class ResumingThreads: TaskExecutor {
    private static let key = DispatchSpecificKey<Bool>()
    let wasResumedOnQueue = EventLog<Bool>()

    /// Creates a queue that is told from others.
    static func markedQueue() -> DispatchQueue {
      let queue = DispatchQueue(label: "target")
      queue.setSpecific(key: key, value: true)
      return queue
    }

    /// Starts a task that is about to wait.
    func park(_ wait: @escaping @Sendable () async -> Void) async -> Task<Void, Never> {
      let parked = Gate("parked")
      let task = Task(executorPreference: self) {
        parked.open()
        await wait()
      }
      await parked.passed()
      return task
    }

    func enqueue(_ job: consuming ExecutorJob) {
      wasResumedOnQueue.add(DispatchQueue.getSpecific(key: Self.key) == true)
      let job = UnownedJob(job)
      DispatchQueue.global().async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }

  @Test(.exitTests) func `L6 a wait that could never end stops the program with a message that says so`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let future = Future(label: "own queue")
      await future.withTurn { _ = future.wait() }
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("wait() would never end"))
    #expect(message.contains("own queue"))
  }

  // MARK: L7 Nothing is kept

  @Test(arguments: [Future.Outcome.completed, .cancelled])
  func `L7 at the outcome all handlers are released with all that they captured`(outcome: Future.Outcome) async {
    let live = LiveCount()
    let future = Future()
    let registrations = addThreeHandlers(to: future, live)
    #expect(live.value == 3)
    outcome == .completed ? future.complete() : future.cancel()
    #expect(await future.handlersFinished == outcome)
    #expect(live.value == 0)
    withExtendedLifetime((future, registrations)) {}
  }

  private func addThreeHandlers(to future: Future, _ live: LiveCount) -> [Registration] {
    let (first, second, third) = (live.make(), live.make(), live.make())
    return [
      future.onComplete { first.touch() },
      future.onCancel { second.touch() },
      future.onCleanUp(on: .inline) { third.touch() },
    ]
  }

  @Test func `L7 at the outcome timers are disarmed and links are cut on both sides`() {
    let parent = Future()
    weak var weakChild: Future?
    weak var weakTimed: Future?
    do {
      let child = Future(linkedTo: parent)
      let timed = Future()
      timed.cancel(after: .seconds(1000))
      parent.cascadeCancellation(to: timed)
      (weakChild, weakTimed) = (child, timed)
      child.complete()
      timed.complete()
    }
    // Dispatch releases the timer's closure in its own time; the links go at once.
    #expect(weakChild == nil)
    while weakTimed != nil { sched_yield() }
    #expect(parent.isPending)
  }

  // MARK: L8 Happens-before

  @Test func `L8 what a thread did before the winning call is visible in every handler and to every reader`() async {
    await stress(
      rounds: iterations(3_000),
      make: { Unprotected() },
      actors: [
        { subject in
          subject.value = 1
          subject.future.complete()
        },
        { subject in
          // Unprotected on purpose: under ThreadSanitizer a missing edge would be reported as a race.
          if subject.future.isCompleted { #expect(subject.value == 1) }
          subject.future.onComplete(on: .inline) { if subject.value != 1 { Issue.record("not visible") } }
        },
      ],
      verify: { #expect($0.future.isCompleted) }
    )
  }

  private final class Unprotected: @unchecked Sendable {
    let future = Future()
    var value = 0
  }

  // MARK: L9 Abandonment

  @Test func `L9 work that is dropped unfinished is reported and wakes all waiters`() async {
    let future: Future
    do {
      let completer = Future.makeCompleter(label: "dropped")
      future = completer.future
    }
    let error = await #expect(throws: AbandonedError.self) { try await future.value }
    #expect(error?.origin.label == "dropped")
    #expect(error?.origin.place.hasPrefix("RaceFreeFutureTests/LawTests.swift:") == true)
  }

  // MARK: L10 Depth

  /// How many are a long chain; a run with a fraction of the usual iterations takes a part of them.
  private let length = min(100_000, iterations(100_000))

  @Test func `L10 chains of 100,000 linked futures are cancelled without exhausting the stack`() {
    let root = Future()
    let chain = chain(from: root) { Future(linkedTo: $0) }
    root.cancel()
    #expect(chain.allSatisfy { $0.isCancelled })
  }

  @Test func `L10 chains of 100,000 linked futures are completed without exhausting the stack`() {
    let root = Future()
    let chain = chain(from: root) { inner in
      let outer = Future()
      outer.passControl(to: inner)
      return outer
    }
    root.complete()
    #expect(chain.allSatisfy { $0.isCompleted })
  }

  @Test func `L10 chains of 100,000 linked futures are dropped without exhausting the stack`() async {
    weak var root: Future?
    weak var innermost: Future?
    do {
      var last = Future()
      root = last
      for _ in 0..<length { last = Future(linkedTo: last) }
      #expect(root != nil, "a pending child keeps its parents")
      let inner = Future()
      innermost = inner
      last = inner
      for _ in 0..<length {
        let outer = Future()
        outer.passControl(to: last)
        last = outer
      }
      last = Future()
    }
    #expect(root == nil)
    #expect(innermost == nil)
  }

  @Test func `L10 a chain is dropped however often each step keeps the one before`() async {
    let steps: [@Sendable (Future) -> Future] = [
      { Future(linkedTo: $0, $0) },
      { Future.all([$0, $0]) },
      { last in
        let next = Future()
        next.onCancel(on: .inline) { _ = last }
        return next
      },
      { last in
        let next = Future()
        next.onCancel { _ = last }
        next.onCleanUp { _ = last }
        return next
      },
      { last in
        let next = Future()
        next.onCleanUp(on: .inline) { [auto = last.cancelOnDeinit()] in _ = auto }
        return next
      },
    ]
    for (index, step) in steps.enumerated() {
      // The stack of a thread of Dispatch.
      let isGone = await onThread(stackSize: 512 << 10) {
        let root = Future()
        let weakRoot = Weak(root)
        var last = step(root)
        for _ in 0..<length { last = step(last) }
        _ = consume root
        last = Future()
        return weakRoot.isGone
      }
      #expect(isGone || index == 1, "step \(index)")
    }
  }

  private func chain(from root: Future, _ next: (Future) -> Future) -> [Future] {
    var chain = [root]
    for _ in 0..<length { chain.append(next(chain[chain.count - 1])) }
    return chain
  }

  // MARK: L11 Trees

  @Test func `L11 every linked future at any depth is marked cancelled before any handler starts`() async {
    let root = Future()
    var tree = [root]
    for index in 1..<64 { tree.append(Future(linkedTo: tree[(index - 1) / 2])) }
    let all = tree
    let log = EventLog<Bool>()
    for future in tree { future.onCancel(on: .inline) { log.add(all.allSatisfy(\.isCancelled)) } }
    root.cancel()
    #expect(log.events == Array(repeating: true, count: 64))
  }

  @Test func `L11 waiters for a linked future continue before any handler starts`() async {
    let root = Future()
    let child = Future(linkedTo: root)
    let (hasGoneOn, isOver) = (Gate("waiter has gone on"), Gate("cancelled"))
    // A handler that waits for the waiter: if that came after it, neither would go on.
    root.onCancel(on: .inline) { hasGoneOn.wait() }
    child.onCancel(on: .inline) { hasGoneOn.wait() }
    let isWaiting = Gate("waiting")
    let waiter = Task {
      isWaiting.open()
      _ = await child.outcome
      hasGoneOn.open()
    }
    await isWaiting.passed()
    startThread {
      root.cancel()
      isOver.open()
    }
    await waiter.value
    await isOver.passed()
  }

  @Test func `L11 a linked future that has a queued perform block is marked at its turn`() async {
    let parent = Future()
    let child = Future(linkedTo: parent)
    let gate = Gate("block")
    let started = Gate("block started")
    child.perform {
      started.open()
      gate.wait()
      let isPending = child.isPending
      #expect(isPending)
    }
    await started.passed()
    parent.cancel()
    #expect(parent.isCancelled)
    #expect(child.isPending)
    gate.open()
    #expect(await child.outcome == .cancelled)
  }
}
