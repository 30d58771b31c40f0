// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFuture
import RaceFreeFutureFoundation
import RaceFreeFutureTesting
import TestSupport
import Testing

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
}
