// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFuture
import RaceFreeFutureFoundation
import RaceFreeFutureTesting
import TestSupport
import Testing

/// A progress that lets a test act between the steps of others, and tells of its cancellation at once.
///
/// `@unchecked Sendable`, as its superclass is: its own state is behind the lock.
private final class SteppedProgress: Progress, @unchecked Sendable {
  enum Step: Hashable, CaseIterable {
    case willRead, hasRead, willSet, hasSet
  }

  private struct State {
    var isCancelled = false
    var handler: (@Sendable () -> Void)?
    var steps = 0
    var act: (@Sendable (SteppedProgress, Step, Int) -> Void)?
  }

  private let state = Locked(State())

  init() {
    super.init(parent: nil)
    totalUnitCount = 1
  }

  /// Calls the closure at each step that is made from now on, with this progress and the number of steps before.
  func atEachStep(_ act: @escaping @Sendable (SteppedProgress, Step, Int) -> Void) {
    state.withLock { $0.act = act }
  }

  private func step(_ step: Step) {
    let (act, number) = state.withLock { state in
      guard state.act != nil else { return (state.act, 0) }
      defer { state.steps += 1 }
      return (state.act, state.steps)
    }
    act?(self, step, number)
  }

  override var isCancelled: Bool {
    get { state.withLock { $0.isCancelled } }
    set { if newValue { cancel() } }
  }

  override var cancellationHandler: (@Sendable () -> Void)? {
    get {
      step(.willRead)
      defer { step(.hasRead) }
      return state.withLock { $0.handler }
    }
    set {
      step(.willSet)
      let (isCancelled, old) = state.withLock { state in
        defer { state.handler = newValue }
        return (state.isCancelled, state.handler)
      }
      if isCancelled { newValue?() }
      withExtendedLifetime(old) {}
      step(.hasSet)
    }
  }

  override func cancel() {
    let handler = state.withLock { state in
      state.isCancelled = true
      return state.handler
    }
    handler?()
  }
}

@Suite struct FutureProgressTests {
  @Test func `cancelling the progress cancels the future`() async {
    let (progress, future) = (Progress(totalUnitCount: 10), Future())
    future.attach(progress)
    progress.cancel()
    #expect(await future.outcome == .cancelled)
  }

  @Test func `cancelling the future cancels the progress`() {
    let (progress, future) = (Progress(totalUnitCount: 10), Future())
    future.attach(progress)
    future.cancel()
    #expect(progress.isCancelled)
    #expect(!progress.isFinished)
  }

  @Test func `a progress that is cancelled already cancels at once`() {
    let (progress, future) = (Progress(totalUnitCount: 10), Future())
    progress.cancel()
    future.attach(progress)
    #expect(future.isCancelled)
    let late = Progress(totalUnitCount: 10)
    future.attach(late)
    #expect(late.isCancelled)
  }

  @Test func `completing the future finishes the progress`() {
    for total: Int64 in [10, 1, 0, -1] {
      let (progress, future) = (Progress(totalUnitCount: total), Future())
      future.attach(progress)
      #expect(!progress.isFinished)
      future.complete()
      #expect(progress.isFinished)
      #expect(!progress.isCancelled)
      progress.cancel()
      #expect(future.isCompleted)
    }
  }

  @Test func `a value finishes the progress, a failure doesn't`() {
    let (good, bad) = (Progress(totalUnitCount: 10), Progress(totalUnitCount: 10))
    let undelivered = EventLog<Int>()
    do {
      let value = ValueFuture<Int>(onUndelivered: undelivered.add)
      value.attach(good)
      value.complete(with: 1)
    }
    #expect(good.isFinished)
    #expect(undelivered.events == [1])
    let failure = ValueFuture<Int>()
    failure.attach(bad)
    bad.completedUnitCount = 4
    failure.complete(throwing: Reason("broken"))
    #expect(bad.completedUnitCount == 4)
    #expect(!bad.isCancelled)
  }

  @Test func `the handler that the progress had is called, too`() async {
    let (progress, future) = (Progress(totalUnitCount: 10), Future())
    let events = EventLog<Bool>()
    progress.cancellationHandler = { events.add(future.isCancelled) }
    future.attach(progress)
    progress.cancel()
    #expect(await future.outcome == .cancelled)
    #expect(events.events == [false])
  }

  @Test func `a token and a progress cancel each other`() async {
    let (progress, future) = (Progress(totalUnitCount: 10), Future())
    future.cancelToken.attachCancellation(of: progress)
    progress.cancel()
    #expect(await future.outcome == .cancelled)
    let (second, work) = (Progress(totalUnitCount: 10), Future())
    work.cancelToken.attachCancellation(of: second)
    work.complete()
    #expect(!second.isCancelled)
    #expect(!second.isFinished)
  }

  @Test func `the progress doesn't keep the future, and the future not the progress after the outcome`() {
    let progress = Progress(totalUnitCount: 10)
    let weakFuture: Weak<Future>
    do {
      let future = Future()
      weakFuture = Weak(future)
      future.attach(progress)
    }
    #expect(weakFuture.isGone)
    let future = Future()
    weak var weakProgress: Progress?
    do {
      let short = Progress(totalUnitCount: 10)
      weakProgress = short
      future.attach(short)
      future.complete()
    }
    #expect(weakProgress == nil)
  }

  @Test func `cancelled from both sides at once, both are cancelled`() async {
    final class Pair: @unchecked Sendable {  // both are thread-safe
      let (progress, future) = (Progress(totalUnitCount: 1), Future())
      init() { future.attach(progress) }
    }
    await stress(
      rounds: iterations(2_000),
      make: { Pair() },
      actors: [{ $0.progress.cancel() }, { $0.future.cancel() }],
      verify: { pair in
        #expect(pair.future.isCancelled)
        #expect(pair.progress.isCancelled)
      }
    )
  }

  @Test func `a token is forgotten at the outcome, and so is its future`() {
    let progress = Progress(totalUnitCount: 10)
    let weakFuture: Weak<Future>
    do {
      let future = Future()
      weakFuture = Weak(future)
      future.cancelToken.attachCancellation(of: progress)
      future.complete()
    }
    #expect(weakFuture.isGone)
  }

  // MARK: Many at once

  @Test func `two that are attached at the same time are both cancelled`() async {
    for stop in [SteppedProgress.Step.willRead, .hasRead, .willSet, .hasSet] {
      let (isInside, mayGoOn) = (Gate("inside"), Gate("may go on"))
      let users = EventLog<Void>()
      let progress = SteppedProgress()
      progress.cancellationHandler = { users.add(()) }
      progress.atEachStep { _, step, _ in
        guard step == stop, !isInside.isOpen else { return }
        isInside.open()
        mayGoOn.wait()
      }
      let (first, second, third) = (Future(), Future(), Future())
      async let attached: Void = onThread { first.attach(progress) }
      await isInside.passed()
      second.attach(progress)
      mayGoOn.open()
      await attached
      third.attach(progress)
      progress.cancel()
      #expect(first.isCancelled, "\(stop)")
      #expect(second.isCancelled, "\(stop)")
      #expect(third.isCancelled, "\(stop)")
      #expect(users.count == 1, "\(stop)")
    }
  }

  @Test func `no matter who cancels the progress while one is attached, the earlier handler is called at most once`() {
    var counts: [Int: Int] = [:]
    // One more than there are steps: then nobody cancels while it is attached.
    for stop in 0..<7 {
      let users = EventLog<Void>()
      let progress = SteppedProgress()
      progress.cancellationHandler = { users.add(()) }
      progress.atEachStep { progress, _, number in if number == stop { progress.cancel() } }
      let future = Future()
      future.attach(progress)
      if !progress.isCancelled { progress.cancel() }
      #expect(future.isCancelled, "\(stop)")
      counts[stop] = users.count
      let late = Future()
      late.attach(progress)
      #expect(late.isCancelled, "\(stop)")
      #expect(users.count == counts[stop], "\(stop)")
    }
    // 0, 1: reading it; 2, 3: taking it away; 4, 5: putting the new one in its place. When it has just been taken away
    // nobody can know.
    #expect(counts == [0: 1, 1: 1, 2: 1, 3: 0, 4: 1, 5: 1, 6: 1])
  }

  @Test func `a future that is cancelled while the progress gets its handler cancels the progress`() async {
    for stop in 0..<6 {
      let users = EventLog<Void>()
      let (progress, future, other) = (SteppedProgress(), Future(), Future())
      progress.cancellationHandler = { users.add(()) }
      progress.atEachStep { progress, _, number in
        guard number == stop else { return }
        other.attach(progress)
        other.cancel()
      }
      future.attach(progress)
      #expect(progress.isCancelled)
      #expect(future.isCancelled)
      #expect(users.count == 1)
    }
  }

  @Test func `attached and cancelled by several threads at once, all are cancelled`() async {
    final class Case: @unchecked Sendable {  // both are thread-safe
      let (progress, users) = (SteppedProgress(), EventLog<Void>())
      let futures = [Future(), Future(), Future()]
      init() { progress.cancellationHandler = { [users] in users.add(()) } }
    }
    await stress(
      rounds: iterations(2_000),
      make: { Case() },
      actors: [
        { $0.futures[0].attach($0.progress) },
        { $0.futures[1].attach($0.progress) },
        {
          $0.futures[2].attach($0.progress)
          $0.futures[2].cancel()
        },
      ],
      verify: { attempt in
        #expect(attempt.progress.isCancelled)
        #expect(attempt.futures.allSatisfy { $0.isCancelled })
        #expect(attempt.users.count == 1)
      }
    )
  }

  @Test func `one that lives long is as small as before when futures have come and gone`() {
    let progress = Progress(totalUnitCount: 10)
    let kept = Future()
    kept.attach(progress)
    for _ in 0..<100 {
      let (completed, ofToken, dropped) = (Future(), Future(), Future())
      for future in [completed, dropped] { future.attach(progress) }
      ofToken.cancelToken.attachCancellation(of: progress)
      #expect(ProgressAttachments.handlerCount(of: progress) == 4)
      for future in [completed, ofToken] { future.complete() }
      #expect(ProgressAttachments.handlerCount(of: progress) == 2)
    }
    #expect(ProgressAttachments.handlerCount(of: progress) == 1)
    kept.complete()
    #expect(ProgressAttachments.handlerCount(of: progress) == 0)
  }

  @Test func `progresses come and go, and others with their addresses`() {
    for round in 0..<1_000 {
      let progress = SteppedProgress()
      let (first, second) = (Future(), Future())
      first.attach(progress)
      second.attach(progress)
      #expect(ProgressAttachments.handlerCount(of: progress) == 2)
      if round.isMultiple(of: 3) { progress.cancel() }
      #expect(first.isCancelled == round.isMultiple(of: 3))
      #expect(second.isCancelled == round.isMultiple(of: 3))
    }
  }

  @Test func `a hundred thousand futures are cancelled with their progress`() async {
    let progress = Progress(totalUnitCount: 10)
    let futures = (0..<100_000).map { _ in Future() }
    let users = EventLog<Void>()
    progress.cancellationHandler = { users.add(()) }
    for future in futures { future.attach(progress) }
    progress.cancel()
    for future in futures { #expect(await future.outcome == .cancelled) }
    #expect(users.count == 1)
  }

  @Test func `a handler that is replaced is lost, and the next future makes a new one`() async {
    let progress = Progress(totalUnitCount: 10)
    let (first, second) = (Future(), Future())
    first.attach(progress)
    let users = EventLog<Void>()
    progress.cancellationHandler = { users.add(()) }
    second.attach(progress)
    progress.cancel()
    #expect(await second.outcome == .cancelled)
    #expect(users.count == 1)
    #expect(first.isPending)
  }
}
