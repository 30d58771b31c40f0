// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFutureTesting
import TestSupport
import Testing

@testable import RaceFreeFuture

/// Timers that race with the outcome, made deterministic: the scheduler calls the test in the middle of the call that
/// sets a timer.
@Suite struct TimedNodeTests {
  private let scheduler = HookedScheduler()

  private func future(_ label: String = "work") -> Future {
    Scheduling.schedule(by: scheduler) { Future(label: label) }
  }

  private func value() -> ValueFuture<Int> {
    Scheduling.schedule(by: scheduler) { ValueFuture<Int>(label: "value") }
  }

  @Test func `it is told when a task that waits continues`() async throws {
    let future = future()
    let task = Task { try await future.value }
    await scheduler.onWait.passed()
    #expect(scheduler.waits == 1)
    future.complete()
    try await task.value
    #expect(scheduler.waits == 0)
  }

  // MARK: Deadlines

  @Test func `one above that is earlier, but hasn't passed by the clock of its own future, doesn't come`() async {
    let parent = future("parent")
    let ahead = parent.cancel(after: .nanoseconds(1), throwing: Reason("ahead"))
    // In real time, which has moved on; the parent's clock stands still.
    let child = Future(linkedTo: parent, label: "child")
    await onThread { _ = child.cancel(after: .zero, throwing: Reason("own")) }
    #expect(child.cancellationReason as? Reason == Reason("own"))
    #expect(parent.isPending && ahead.unregister())
  }

  @Test func `in real time, one that is set for later fires after the one before it`() async {
    let (first, second) = (Future(), Future())
    let hasCome = Gate("the later deadline has come")
    second.onCancel(on: .inline) { hasCome.open() }
    // From the same instant, however long it takes to set them.
    let now = Deadline.now
    second.cancel(at: now + .milliseconds(500))
    first.cancel(at: now + .milliseconds(20))
    await hasCome.passed()
    #expect(first.isCancelled)
  }

  @Test func `in real time, one that is moved ahead of others fires before them`() async {
    let futures = (0..<8).map { _ in Future() }
    let deadlines = futures.map { $0.cancel(after: .seconds(3_600)) }
    let hasCome = Gate("the moved deadline has come")
    futures[7].onCancel(on: .inline) { hasCome.open() }
    #expect(deadlines[7].move(to: .now.advanced(by: .milliseconds(1))))
    await hasCome.passed()
    #expect(futures.dropLast().allSatisfy { $0.isPending })
  }

  @Test func `in real time, one that was moved to a later instant fires`() async {
    let future = Future()
    let hasCome = Gate("the moved deadline has come")
    future.onCancel(on: .inline) { hasCome.open() }
    future.cancel(after: .milliseconds(20)).extend(by: .milliseconds(20))
    await hasCome.passed()
  }

  @Test func `in real time, the next one fires when the earliest was removed`() async {
    let (removed, next, last) = (Future(), Future(), Future())
    let hasCome = Gate("the next deadline has come")
    next.onCancel(on: .inline) { hasCome.open() }
    let earliest = removed.cancel(after: .milliseconds(30))
    next.cancel(after: .milliseconds(60))
    last.cancel(after: .seconds(3_600))
    earliest.unregister()
    await hasCome.passed()
    #expect(last.isPending)
  }

  @Test func `an outcome that comes while the timer is started leaves neither timer nor reason`() {
    let (future, live) = (future(), LiveCount())
    scheduler.onStart = { future.complete() }
    let deadline = future.cancel(after: .seconds(1), throwing: Held(live))
    #expect(future.isCompleted && scheduler.timers.isEmpty && live.value == 0)
    #expect(!deadline.unregister() && !deadline.move(to: deadline.instant))
    #expect(future.process { $0.handlers.isEmpty && $0.deadlines.isEmpty })
  }

  @Test func `the timers of all other deadlines are stopped by the one that comes`() {
    let future = future()
    let (late, early) = (future.cancel(after: .seconds(2)), future.cancel(after: .seconds(1)))
    scheduler.pass(.seconds(3))
    scheduler.fireFirst()
    #expect(future.isCancelled && scheduler.timers.isEmpty)
    #expect(!late.unregister() && !early.unregister())
  }

  @Test func `an outcome that comes just before the timer is started leaves neither timer nor reason`() {
    let (future, live) = (future(), LiveCount())
    scheduler.onCheck = { future.complete() }
    future.cancel(after: .seconds(1), throwing: Held(live))
    #expect(future.isCompleted && scheduler.timers.isEmpty && live.value == 0)
  }

  @Test func `an outcome or a removal that comes while the timer is set again leaves no timer`() {
    for isRemoval in [false, true] {
      let future = future()
      let deadline = future.cancel(after: .seconds(1))
      scheduler.onStart = { if isRemoval { #expect(deadline.unregister()) } else { future.complete() } }
      #expect(deadline.extend(by: .seconds(1)))
      #expect(scheduler.timers.isEmpty && future.deadline == nil && future.isPending == isRemoval)
      #expect(future.process { $0.handlers.isEmpty && $0.deadlines.isEmpty })
    }
  }

  @Test func `a deadline that is moved while its timer is set again ends with one timer, at the last instant`() {
    let future = future()
    let deadline = future.cancel(after: .seconds(1))
    scheduler.onStart = { #expect(deadline.extend(by: .seconds(3)) && deadline.extend(by: .seconds(3))) }
    #expect(deadline.extend(by: .seconds(1)))
    #expect(scheduler.timers == [.seconds(8)] && future.deadline == deadline.instant)
    future.complete()
    #expect(scheduler.timers.isEmpty)
  }

  @Test func `a timer that fires while it is set cancels, and leaves nothing`() {
    let future = future()
    scheduler.onStart = { [scheduler] in
      scheduler.pass(.seconds(1))
      scheduler.fireFirst()
    }
    let deadline = future.cancel(after: .seconds(1))
    #expect(future.isCancelled && scheduler.timers.isEmpty && !deadline.unregister())
    #expect(future.process { $0.handlers.isEmpty && $0.deadlines.isEmpty })
  }

  @Test func `a timer that fires after the outcome, or after its removal, does nothing`() {
    for isRemoval in [false, true] {
      let future = future()
      let deadline = future.cancel(after: .seconds(1))
      let fire = scheduler.first
      if isRemoval { deadline.unregister() } else { future.complete() }
      scheduler.pass(.seconds(1))
      fire()
      #expect(!future.isCancelled && scheduler.timers.isEmpty)
    }
  }

  @Test func `a timer that fires after its deadline was moved does nothing`() {
    let future = future()
    let deadline = future.cancel(after: .seconds(1))
    let fire = scheduler.first
    #expect(deadline.extend(by: .seconds(1)))
    scheduler.pass(.seconds(1))
    fire()
    #expect(future.isPending && scheduler.timers == [.seconds(2)])
    scheduler.fireFirst()
    #expect(future.isCancelled && scheduler.timers.isEmpty)
  }

  // MARK: One timer

  @Test(arguments: [false, true])
  func `a timer that is stopped before it is started doesn't start, and keeps nothing`(isScheduled: Bool) {
    let weak: Weak<Future>
    do {
      let future = isScheduled ? future() : Future()
      let timer = TimedNode(.cancel(nil), from: .now, to: .now)
      Timers.shared.stop(timer)
      Timers.shared.set(timer, for: future, at: .now) { .now + .seconds(1_000) }
      weak = Weak(future)
    }
    #expect(weak.isGone)
    #expect(scheduler.timers.isEmpty)
  }

  @Test func `timers of a scheduler that has ended, and drops them, keep nothing`() {
    let weak: Weak<Future>
    do {
      let future = future()
      future.cancel(after: .seconds(1))
      weak = Weak(future)
    }
    #expect(!weak.isGone, "the timer keeps it")
    scheduler.close()
    #expect(weak.isGone)
    let after = future()
    after.cancel(after: .seconds(1_000))
    #expect(scheduler.timers.isEmpty)
    after.complete()
  }

  @Test func `a future that is to complete later isn't kept after its scheduler has ended`() {
    let live = LiveCount()
    let weak: [Weak<Future>]
    do {
      let (future, value) = Scheduling.schedule(by: scheduler) {
        (
          Future.completing(after: .seconds(1), label: "later"),
          ValueFuture.completing(with: live.make(), after: .seconds(1))
        )
      }
      weak = [Weak(future), Weak(value.future)]
    }
    #expect(weak.allSatisfy { !$0.isGone } && live.value == 1, "the timers keep them")
    scheduler.close()
    #expect(weak.allSatisfy(\.isGone) && live.value == 0)
  }

  @Test func `a deadline comes though the global queue is full of work that waits for it`() async {
    let future = Future()
    for _ in 0..<1_000 { DispatchQueue.global().async { _ = future.wait() } }
    future.cancel(after: .milliseconds(1))
    #expect(await future.outcome == .cancelled)
  }

  @Test func `L7 the heap of timers becomes small again after a peak`() {
    let future = Future()
    for _ in 0..<40_000 { future.cancel(after: .seconds(1_000)) }
    #expect(Timers.shared.capacity >= 40_000)
    future.complete()
    // Other tests may have ten thousand timers meanwhile.
    #expect(Timers.shared.capacity < 40_000)
  }

  @Test(arguments: [false, true])
  func `a timer keeps its future until it is stopped, but not if it is too far to come`(isScheduled: Bool) {
    let weak: Weak<Future>
    let timer = TimedNode(.cancel(nil), from: .now, to: .now)
    do {
      let future = isScheduled ? future() : Future()
      Timers.shared.set(timer, for: future, at: .now) { .now + .seconds(1_000) }
      weak = Weak(future)
    }
    #expect(!weak.isGone)
    if let future = weak.object { Timers.shared.set(timer, for: future, at: .now) { .now + .seconds(1 << 40) } }
    #expect(weak.isGone && scheduler.timers.isEmpty)
    Timers.shared.stop(timer)
  }

  @Test func `timers fire in any order in which they were set, moved and stopped`() async {
    let now = ContinuousClock.now
    let futures = (0..<200).map { _ in Future() }
    let deadlines = futures.map { $0.cancel(at: now + .seconds(.random(in: 1_000...2_000))) }
    for (index, deadline) in deadlines.enumerated().shuffled() {
      switch index % 4 {
      case 0: #expect(deadline.move(to: now + .microseconds(.random(in: 0...3_000))))
      case 1: #expect(deadline.unregister())
      case 2: futures[index].complete()
      default: #expect(deadline.extend(by: .seconds(.random(in: -900...900))))
      }
    }
    for index in stride(from: 0, to: 200, by: 4) {
      #expect(await futures[index].outcome == .cancelled && ContinuousClock.now >= deadlines[index].instant)
    }
    for index in stride(from: 3, to: 200, by: 4) { #expect(futures[index].isPending && deadlines[index].unregister()) }
  }

  // MARK: Waits with a timeout

  @Test func `a wait that has timed out leaves neither its node nor its timer`() async throws {
    let value = value()
    let waiting = Task { try await value.value(within: .seconds(1)) }
    try await eventually("the task waits") { value.future.process { $0.handlers.hasWaiters } }
    scheduler.fireFirst()
    await #expect(throws: TimeoutError.self) { try await waiting.value }
    #expect(value.future.process { $0.handlers.isEmpty } && scheduler.timers.isEmpty)
    #expect(value.future.waitForOutcome(timeout: .zero) == nil)
    #expect(value.future.process { $0.handlers.isEmpty })
  }

  @Test func `a wait whose task is cancelled leaves neither its node nor its timer`() async throws {
    let value = value()
    let waiting = Task { try await value.value(within: .seconds(1)) }
    try await eventually("the task waits") { value.future.process { $0.handlers.hasWaiters } }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    #expect(value.future.process { $0.handlers.isEmpty } && scheduler.timers.isEmpty)
  }

  @Test func `a wait that is over because of the outcome leaves no timer`() async throws {
    let value = value()
    let waiting = Task { try await value.value(within: .seconds(1)) }
    try await eventually("the task waits") { value.future.process { $0.handlers.hasWaiters } }
    value.complete(with: 7)
    #expect(try await waiting.value == 7)
    #expect(scheduler.timers.isEmpty)
  }

  @Test func `a timeout before the task is suspended leaves neither node nor timer, and so does a cancellation`()
    async
  {
    for isTimeout in [false, true] {
      let value = value()
      scheduler.onStart = { [scheduler] in
        if isTimeout { scheduler.fireFirst() } else { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
      }
      let waiting = Task { try await value.value(within: .seconds(1)) }
      await #expect(throws: (any Error).self) { try await waiting.value }
      #expect(value.future.process { $0.handlers.isEmpty } && scheduler.timers.isEmpty)
    }
  }

  private struct Held: Error {
    private let instance: LiveCount.Instance
    init(_ live: LiveCount) { instance = live.make() }
  }
}

/// A scheduler of timers alone: they fire when the test says so, and it can act in the middle of a call.
private final class HookedScheduler: Scheduler {
  private struct Running {
    let timer: ScheduledTimer
    let due: ContinuousClock.Instant
    let fire: @Sendable () -> Void
  }

  private struct State {
    var timers: [Running] = []
    var instant = ContinuousClock.now
    var isClosed = false
    var waits = 0
    var onStart: (@Sendable () -> Void)?
    var onCheck: (@Sendable () -> Void)?
  }

  private let state = Locked(State())

  /// Opened when a task begins to wait.
  let onWait = Gate("a task waits")

  /// The number of tasks that wait.
  var waits: Int { state.withLock { $0.waits } }

  /// The intervals of the timers that are set.
  var timers: [Duration] { state.withLock { $0.timers.map(\.timer.interval) } }

  /// Called once, when the next timer has just been set, inside of the call that sets it.
  var onStart: (@Sendable () -> Void)? {
    get { nil }
    set { state.withLock { $0.onStart = newValue } }
  }

  /// Called once, when the scheduler is asked next whether it schedules.
  var onCheck: (@Sendable () -> Void)? {
    get { nil }
    set { state.withLock { $0.onCheck = newValue } }
  }

  /// Returns the closure of the first timer.
  var first: @Sendable () -> Void {
    let timers = state.withLock { $0.timers }
    return timers[0].fire
  }

  /// Fires the first timer, which is over then.
  func fireFirst() {
    let first = state.withLock { state -> Running? in state.timers.isEmpty ? nil : state.timers.removeFirst() }
    if first == nil { Issue.record("no timer is set") }
    first?.fire()
  }

  func pass(_ time: Duration) { state.withLock { $0.instant += time } }

  func close() {
    let dropped = state.withLock { state -> [Running] in
      state.isClosed = true
      return exchange(&state.timers, with: [])
    }
    withExtendedLifetime(dropped) {}
  }

  // MARK: Scheduler

  var isScheduling: Bool {
    let (hook, isClosed) = state.withLock { ($0.onCheck.take(), $0.isClosed) }
    hook?()
    return !isClosed
  }

  var instant: ContinuousClock.Instant { state.withLock { $0.instant } }

  func start(_ timer: ScheduledTimer, _ fire: @escaping @Sendable () -> Void) {
    let hook = state.withLock { state in
      let due = state.instant + timer.interval
      state.timers.insert(
        Running(timer: timer, due: due, fire: fire),
        at: state.timers.firstIndex { $0.due > due } ?? state.timers.endIndex
      )
      return state.onStart.take()
    }
    hook?()
  }

  func stop(_ timer: ScheduledTimer) {
    let stopped = state.withLock { state -> Running? in
      let index = state.timers.firstIndex { $0.timer === timer }
      return index.map { state.timers.remove(at: $0) }
    }
    withExtendedLifetime(stopped) {}
  }

  func enqueue(_ work: ScheduledWork) { work.run() }
  func runLine(of queue: ScheduledQueue) {}
  func executor(forTaskOf name: String) -> any TaskExecutor { fatalError("no future here has a task of its own") }

  func beginWait(for future: ScheduledQueue) -> Int {
    state.withLock { $0.waits += 1 }
    onWait.open()
    return 7
  }

  func endWait(_ wait: Int) {
    #expect(wait == 7)
    state.withLock { $0.waits -= 1 }
  }
}
