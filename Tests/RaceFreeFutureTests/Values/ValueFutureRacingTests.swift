// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

@Suite struct ValueFutureRacingTests {
  private func make(_ count: Int) -> [ValueFuture<Int>] { (0..<count).map { _ in ValueFuture() } }

  // MARK: any

  @Test func `any has the first value, and those that failed or were cancelled drop out`() {
    let futures = make(4)
    let any = ValueFuture.any(futures)
    futures[0].complete(throwing: Reason("broken"))
    futures[1].cancel()
    #expect(any.isPending)
    futures[3].complete(with: 3)
    futures[2].complete(with: 2)
    #expect(any.result?.value == 3)
  }

  /// The errors of one that failed because all did.
  private func errors(of future: ValueFuture<Int>) -> [Reason?]? {
    (future.result?.error as? AllFailedError)?.errors.map { reason($0) }
  }

  @Test func `any of failed ones fails with the errors of all, in the order of the array`() {
    let futures = make(3)
    let any = ValueFuture.any(futures)
    futures[2].complete(throwing: Reason("2"))
    futures[0].complete(throwing: Reason("0"))
    #expect(any.isPending)
    futures[1].complete(throwing: Reason("1"))
    #expect(errors(of: any) == [Reason("0"), Reason("1"), Reason("2")])
  }

  @Test func `any of one that failed fails with an error that has its error`() {
    #expect(errors(of: .any([.completed(throwing: Reason("alone"))])) == [Reason("alone")])
  }

  @Test func `any of cancelled ones is cancelled for the reason of the last`() {
    let futures = make(3)
    let any = ValueFuture.any(futures)
    for (index, future) in futures.enumerated() { future.cancel(throwing: Reason("\(index)")) }
    #expect(reason(any.cancellationReason) == Reason("2"))
  }

  @Test(arguments: [false, true])
  func `any of failed and cancelled ones fails with the errors and the reasons`(_ late: Bool) {
    let futures = make(4)
    func resolve() {
      futures[1].cancel(throwing: Reason("why"))
      futures[0].complete(throwing: Reason("first"))
      futures[3].cancel(throwing: Reason("also"))
      futures[2].complete(throwing: Reason("last"))
    }
    if late { resolve() }
    let any = ValueFuture.any(futures)
    resolve()
    #expect(errors(of: any) == [Reason("first"), Reason("why"), Reason("last"), Reason("also")])
  }

  @Test func `any of none is cancelled`() {
    #expect(ValueFuture<Int>.any([]).isCancelled)
    #expect(ValueFuture<Int>.any([], cancelLosers: true).isCancelled)
  }

  @Test(arguments: [false, true])
  func `when any has a value those that are pending are cancelled if that is wanted`(_ cancelLosers: Bool) {
    let futures = make(4)
    let any = ValueFuture.any(futures, cancelLosers: cancelLosers)
    futures[0].complete(throwing: Reason("broken"))
    #expect(futures[1].isPending)
    futures[1].complete(with: 1)
    #expect(any.result?.value == 1)
    #expect(futures[2].isCancelled == cancelLosers)
    #expect(futures[3].isCancelled == cancelLosers)
    if cancelLosers { #expect(futures[2].cancellationReason is CancellationError) }
  }

  @Test(arguments: [false, true])
  func `cancelling any or race cancels those that are pending`(_ cancelLosers: Bool) {
    for isAny in [false, true] {
      let futures = make(3)
      futures[0].cancel(throwing: Reason("before"))
      let first =
        isAny
        ? ValueFuture.any(futures, cancelLosers: cancelLosers) : .race(futures, cancelLosers: cancelLosers)
      first.cancel(throwing: Reason("why"))
      #expect(
        futures.map { reason($0.cancellationReason) } == [Reason("before"), Reason("why"), Reason("why")]
      )
    }
  }

  // MARK: race

  @Test func `race has the first result, be it a value or an error`() {
    let (first, second) = (make(2), make(2))
    let (value, error) = (ValueFuture.race(first), ValueFuture.race(second))
    first[1].complete(with: 1)
    first[0].complete(throwing: Reason("late"))
    second[1].complete(throwing: Reason("broken"))
    second[0].complete(with: 0)
    #expect(value.result?.value == 1)
    #expect(reason(error.result?.error) == Reason("broken"))
  }

  @Test func `those that are cancelled drop out of a race`() {
    let futures = make(3)
    let race = ValueFuture.race(futures)
    futures[0].cancel()
    futures[1].cancel()
    #expect(race.isPending)
    futures[2].complete(with: 2)
    #expect(race.result?.value == 2)
  }

  @Test(arguments: [false, true])
  func `a race whose runners are all cancelled is cancelled for the reason of the last`(_ late: Bool) {
    let futures = make(3)
    func resolve() {
      for (index, future) in futures.enumerated() { future.cancel(throwing: Reason("\(index)")) }
    }
    if late { resolve() }
    let race = ValueFuture.race(futures)
    resolve()
    #expect(reason(race.cancellationReason) == Reason("2"))
  }

  @Test func `a race of none is cancelled`() {
    #expect(ValueFuture<Int>.race([]).isCancelled)
    #expect(ValueFuture<Int>.race([], cancelLosers: true).isCancelled)
  }

  @Test func `lazy ones aren't even put into a queue when another has decided already`() throws {
    try withManualControl { control in
      let lazy = ValueFuture.lazy { _ in 2 }
      let race = ValueFuture.race([.completed(with: 1), lazy])
      #expect(race.result?.value == 1 && control.pending == [])
    }
  }

  @Test func `lazy ones aren't started when another has decided already`() async {
    let started = EventLog<String>()
    let lazy = ValueFuture.lazy { _ in
      started.add("it was asked for")
      return 1
    }
    let (value, failure) = (ValueFuture.completed(with: 7), ValueFuture<Int>.completed(throwing: Reason("broken")))
    #expect(ValueFuture.race([lazy, value]).result?.value == 7)
    #expect(ValueFuture.any([lazy, failure, value]).result?.value == 7)
    #expect(reason(ValueFuture.all([lazy, failure]).result?.error) == Reason("broken"))
    #expect(reason(ValueFuture.zip(lazy, failure).map { _ in 0 }.result?.error) == Reason("broken"))
    started.add("it was waited for")
    #expect(await onThread { try? lazy.wait() } == 1)
    #expect(started.events == ["it was waited for", "it was asked for"])
  }

  @Test func `of several that are resolved already the first in the array wins`() {
    let (pending, cancelled) = (ValueFuture<Int>(), ValueFuture<Int>())
    cancelled.cancel()
    let futures = [pending, cancelled, .completed(with: 2), .completed(with: 3)]
    #expect(ValueFuture.race(futures).result?.value == 2)
    #expect(ValueFuture.any([.completed(throwing: Reason("broken"))] + futures).result?.value == 2)
    #expect(pending.isPending)
  }

  @Test(arguments: [false, true])
  func `when one has won those that are pending are cancelled if that is wanted`(_ cancelLosers: Bool) {
    for (isLate, isFailure) in [(false, false), (false, true), (true, false), (true, true)] {
      let futures = make(3)
      func win() {
        isFailure ? futures[1].complete(throwing: Reason("broken")) : futures[1].complete(with: 1)
      }
      if isLate { win() }
      let race = ValueFuture.race(futures, cancelLosers: cancelLosers)
      win()
      #expect(race.isCompleted)
      #expect(futures.map(\.isCancelled) == [cancelLosers, false, cancelLosers])
      if cancelLosers { #expect(futures[0].cancellationReason is CancellationError) }
    }
  }

  @Test func `handlers of a race see its losers cancelled`() {
    let futures = make(3)
    let race = ValueFuture.race(futures, cancelLosers: true)
    let log = EventLog<[Bool]>()
    race.onValue(on: .inline) { _ in log.add(futures.map(\.isCancelled)) }
    futures[0].complete(with: 0)
    #expect(log.events == [[false, true, true]])
  }

  @Test func `losers that are left alone keep nothing of the race`() {
    let (futures, live) = (make(2), LiveCount())
    func race() -> WeakWork {
      let race = ValueFuture.race(futures)
      race.onValue(on: .inline) { [instance = live.make()] _ in instance.touch() }
      futures[0].complete(with: 0)
      return WeakWork(race)
    }
    let gone = race()
    #expect(gone.isGone)
    #expect(live.value == 0)
    #expect(futures[1].tryComplete(with: 1))
  }

  @Test func `the same future may run against itself`() {
    let future = ValueFuture<Int>()
    let race = ValueFuture.race([future, future], cancelLosers: true)
    future.complete(with: 7)
    #expect(race.result?.value == 7)
    let cancelled = ValueFuture<Int>()
    let any = ValueFuture.any([cancelled, cancelled])
    cancelled.cancel(throwing: Reason("why"))
    #expect(reason(any.cancellationReason) == Reason("why"))
  }

  @Test(arguments: [false, true])
  func `ten thousand run`(_ cancelLosers: Bool) {
    let (first, second) = (make(10_000), make(10_000))
    let race = ValueFuture.race(first, cancelLosers: cancelLosers)
    first[5_000].complete(with: 5_000)
    #expect(race.result?.value == 5_000)
    #expect(first.count(where: \.isCancelled) == (cancelLosers ? 9_999 : 0))
    let any = ValueFuture.any(second, cancelLosers: cancelLosers)
    for future in second.dropLast() { future.cancel() }
    #expect(any.isPending)
    second[9_999].complete(throwing: Reason("last"))
    let all = errors(of: any)
    #expect(all?.count == 10_000)
    #expect(all?.last == Reason("last"))
  }

  @Test func `of two that complete at the same time one wins, and the other one is cancelled or late`() async {
    struct Contest: Sendable {
      let runners = [ValueFuture<Int>(), ValueFuture<Int>()]
      let race: ValueFuture<Int>
      init() { race = ValueFuture.race(runners, cancelLosers: true) }
    }
    await stress(
      rounds: iterations(500),
      make: { Contest() },
      actors: (0..<2).map { index in { $0.runners[index].complete(with: index) } },
      verify: { contest in
        let winner = contest.race.result?.value
        #expect(winner != nil)
        if let winner { #expect(contest.runners[winner].result?.value == winner) }
        #expect(contest.runners.allSatisfy { !$0.isPending })
      }
    )
  }
}
