// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

@Suite struct FutureCombiningTests {
  private func pending(_ count: Int) -> [Future] { (0..<count).map { _ in Future() } }

  // MARK: All

  @Test func `neither keeps the value of a future that it was made of`() {
    let returned = EventLog<Int>()
    for number in 1...2 {
      let value = ValueFuture<Int>(onUndelivered: { returned.add($0) })
      let combined = number == 1 ? Future.all([value]) : Future.any([value])
      value.complete(with: number)
      #expect(combined.isCompleted)
      withExtendedLifetime(combined) {}
    }
    #expect(returned.events == [1, 2])
  }

  @Test func `all completes when the last has, in whichever order`() {
    for last in 0..<3 {
      let futures = pending(3)
      let all = Future.all(futures)
      for index in 0..<3 where index != last { futures[index].complete() }
      #expect(all.isPending)
      futures[last].complete()
      #expect(all.isCompleted)
    }
  }

  @Test func `all is cancelled as soon as one is, for its reason`() {
    let futures = pending(3)
    let all = Future.all(futures)
    futures[0].complete()
    futures[1].cancel(throwing: Reason("second"))
    #expect(reason(all.cancellationReason) == Reason("second"))
    futures[2].cancel(throwing: Reason("third"))
    #expect(reason(all.cancellationReason) == Reason("second"))
  }

  @Test func `all of nothing is completed`() {
    #expect(Future.all([]).isCompleted)
    #expect(Future.all([]).isCompleted)
  }

  @Test func `all counts futures that are resolved already`() {
    let futures = pending(2)
    futures[0].complete()
    let all = Future.all(futures)
    #expect(all.isPending)
    futures[1].complete()
    #expect(all.isCompleted)
    #expect(Future.all(futures).isCompleted)
    let cancelled = Future()
    cancelled.cancel(throwing: Reason("before"))
    #expect(reason(Future.all([Future(), cancelled]).cancellationReason) == Reason("before"))
  }

  @Test func `all takes a future that occurs more than once`() {
    let futures = pending(2)
    let all = Future.all([futures[0], futures[0], futures[1], futures[0]])
    futures[0].complete()
    #expect(all.isPending)
    futures[1].complete()
    #expect(all.isCompleted)
  }

  @Test func `resolving all does nothing to its futures`() {
    let futures = pending(2)
    Future.all(futures).cancel()
    Future.all(futures).complete()
    #expect(futures.allSatisfy { $0.isPending })
  }

  @Test func `all through tokens`() {
    let futures = pending(2)
    let all = Future.all(futures.map(\.cancelToken))
    futures[1].complete()
    #expect(all.isPending)
    futures[0].complete()
    #expect(all.isCompleted)
  }

  // MARK: Any

  @Test func `any completes with the first`() {
    for first in 0..<3 {
      let futures = pending(3)
      let any = Future.any(futures)
      futures[(first + 1) % 3].cancel()
      #expect(any.isPending)
      futures[first].complete()
      #expect(any.isCompleted)
      futures[(first + 2) % 3].cancel()
      #expect(any.isCompleted)
    }
  }

  @Test func `any is cancelled when all are, for the reason of the last one`() {
    let futures = pending(3)
    let any = Future.any(futures)
    futures[2].cancel(throwing: Reason("1"))
    futures[0].cancel(throwing: Reason("2"))
    #expect(any.isPending)
    futures[1].cancel(throwing: Reason("3"))
    #expect(reason(any.cancellationReason) == Reason("3"))
  }

  @Test func `any of nothing is cancelled`() {
    #expect(Future.any([]).isCancelled)
    #expect(Future.any([]).isCancelled)
  }

  @Test func `any counts futures that are resolved already`() {
    let futures = pending(2)
    futures[0].cancel()
    let any = Future.any(futures)
    #expect(any.isPending)
    futures[1].cancel(throwing: Reason("last"))
    #expect(reason(any.cancellationReason) == Reason("last"))
    #expect(Future.any(futures).isCancelled)
    let completed = Future()
    completed.complete()
    #expect(Future.any([Future(), completed]).isCompleted)
  }

  @Test func `any takes a future that occurs more than once`() {
    let futures = pending(2)
    let any = Future.any([futures[0], futures[0], futures[1]])
    futures[0].cancel()
    #expect(any.isPending)
    futures[1].cancel()
    #expect(any.isCancelled)
  }

  @Test func `resolving any does nothing to its futures`() {
    let futures = pending(2)
    Future.any(futures).cancel()
    Future.any(futures).complete()
    #expect(futures.allSatisfy { $0.isPending })
  }

  @Test func `any through tokens`() {
    let futures = pending(2)
    let any = Future.any(futures.map(\.cancelToken))
    futures[1].complete()
    #expect(any.isCompleted)
  }

  // MARK: Both

  @Test(arguments: [Future.all, Future.any])
  func `pending futures keep it, so its handlers run though nobody else does`(
    _ combine: @Sendable ([Future]) -> Future
  ) {
    let log = EventLog<Future.Outcome>()
    let futures = pending(2)
    func combined() -> Weak<Future> {
      let combined = combine(futures)
      combined.onCleanUp(on: .inline) { log.add($0) }
      return Weak(combined)
    }
    let combined = combined()
    #expect(!combined.isGone)
    for future in futures { future.complete() }
    #expect(log.events == [.completed])
    #expect(combined.isGone)
  }

  @Test(arguments: [Future.all, Future.any])
  func `futures that are pending forget it once it is resolved`(_ combine: @Sendable ([Future]) -> Future) {
    let futures = pending(2)
    func combined(resolvedBy resolve: (Future) -> Void) -> Weak<Future> {
      let combined = combine(futures)
      resolve(combined)
      return Weak(combined)
    }
    #expect(combined { $0.complete() }.isGone)
    #expect(combined { $0.cancel() }.isGone)
    let other = Future()
    func combinedWithOther() -> Weak<Future> {
      let combined = combine([futures[0], other])
      // One of the two ends `all`, the other one ends `any`.
      switch combined.origin.label?.hasPrefix("all") {
      case true: other.cancel()
      default: other.complete()
      }
      return Weak(combined)
    }
    #expect(combinedWithOther().isGone)
    #expect(futures.allSatisfy { $0.isPending })
  }

  @Test(arguments: [Future.all, Future.any])
  func `it doesn't keep its futures`(_ combine: @Sendable ([Future]) -> Future) {
    func combinedOfDropped() -> (combined: Future, dropped: Weak<Future>) {
      let dropped = Future()
      return (combine([dropped]), Weak(dropped))
    }
    let (combined, dropped) = combinedOfDropped()
    #expect(dropped.isGone)
    #expect(combined.cancellationReason is AbandonedError)
  }

  @Test func `all and any of futures that are resolved at the same time end once and right`() async {
    struct Contest: Sendable {
      let futures = [Future(), Future(), Future()]
      let all: Future
      let any: Future
      let log = EventLog<Future.Outcome>()
      init() {
        all = Future.all(futures)
        any = Future.any(futures)
        all.onCleanUp(on: .inline) { [log] in log.add($0) }
        any.onCleanUp(on: .inline) { [log] in log.add($0) }
      }
    }
    await stress(
      rounds: iterations(1_000),
      make: { Contest() },
      actors: [{ $0.futures[0].complete() }, { $0.futures[1].complete() }, { $0.futures[2].complete() }],
      verify: { contest in
        #expect(contest.log.events == [.completed, .completed])
        #expect(contest.all.isCompleted && contest.any.isCompleted)
      }
    )
    await stress(
      rounds: iterations(1_000),
      make: { Contest() },
      actors: [
        { $0.futures[0].cancel(throwing: Reason("0")) },
        { $0.futures[1].cancel(throwing: Reason("1")) },
        { $0.futures[2].cancel(throwing: Reason("2")) },
      ],
      verify: { contest in
        #expect(contest.log.events == [.cancelled, .cancelled])
        #expect(contest.all.isCancelled && contest.any.isCancelled)
      }
    )
  }
}
