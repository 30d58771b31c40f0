// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

@Suite struct ValueFutureCombiningTests {
  @Test func `zip of nothing is completed`() async throws {
    let nothing: ValueFuture<Void> = ValueFuture.zip()
    #expect(nothing.isCompleted)
    try await nothing.value
  }

  private func make(_ count: Int) -> [ValueFuture<Int>] { (0..<count).map { _ in ValueFuture() } }

  private func completed(_ count: Int) -> [ValueFuture<Int>] { (0..<count).map { .completed(with: $0) } }

  // MARK: all

  @Test func `all has the values in the order of the futures, not of their completions`() {
    let futures = make(3)
    let all = ValueFuture.all(futures)
    futures[2].complete(with: 2)
    futures[0].complete(with: 0)
    #expect(all.isPending)
    futures[1].complete(with: 1)
    #expect(all.result?.value == [0, 1, 2])
  }

  @Test func `all of none has no values`() {
    #expect(ValueFuture<[Int]>.all([]).result?.value == [])
  }

  @Test func `all of resolved ones is resolved`() {
    #expect(ValueFuture.all(completed(3)).result?.value == [0, 1, 2])
    let cancelled = ValueFuture<Int>()
    cancelled.cancel(throwing: Reason("before"))
    let all = ValueFuture.all(completed(2) + [cancelled] + make(1))
    #expect(reason(all.cancellationReason) == Reason("before"))
  }

  @Test func `the same future may occur more than once`() {
    let future = ValueFuture<Int>()
    let other = ValueFuture<Int>()
    let all = ValueFuture.all([future, other, future])
    future.complete(with: 1)
    #expect(all.isPending)
    other.complete(with: 2)
    #expect(all.result?.value == [1, 2, 1])
  }

  @Test func `all completes as soon as one fails, and leaves the others alone`() {
    let futures = make(3)
    let all = ValueFuture.all(futures)
    futures[0].complete(with: 0)
    futures[1].complete(throwing: Reason("broken"))
    #expect(all.isCompleted)
    #expect(all.result?.value == nil)
    #expect(futures[2].isPending)
    #expect(futures[2].tryComplete(with: 2))
  }

  @Test(arguments: [false, true])
  func `all fails with the error of the one that failed`(_ late: Bool) {
    let futures = make(3)
    func fail() { futures[1].complete(throwing: Reason("broken")) }
    if late { fail() }
    let all = ValueFuture.all(futures)
    if !late { fail() }
    futures[0].complete(throwing: Reason("later"))
    #expect(reason(all.result?.error) == Reason("broken"))
    let cancellation = ValueFuture.all([ValueFuture<Int>.completed(throwing: CancellationError())])
    #expect(cancellation.result?.error is CancellationError)
  }

  @Test func `all and zip are cancelled as soon as one is`() {
    let futures = make(3)
    let (all, zip) = (ValueFuture.all(futures), ValueFuture.zip(futures[0], futures[1]))
    futures[1].cancel(throwing: Reason("why"))
    #expect(reason(all.cancellationReason) == Reason("why"))
    #expect(reason(zip.cancellationReason) == Reason("why"))
    // A source that is dropped pending cancels them as well, for another reason.
    withExtendedLifetime(futures) {}
  }

  @Test func `when all and zip are cancelled by one of them the others are cancelled as well`() {
    let (futures, others) = (make(3), make(3))
    let (all, zip) = (ValueFuture.all(futures), ValueFuture.zip(others[0], others[1], others[2]))
    futures[1].cancel()
    others[1].cancel()
    #expect(all.isCancelled && zip.isCancelled)
    #expect((futures + others).map(\.isCancelled) == Array(repeating: true, count: 6))
  }

  @Test func `cancelling all cancels those that are pending`() {
    let futures = make(3)
    let all = ValueFuture.all(futures)
    futures[1].complete(with: 1)
    all.cancel(throwing: Reason("why"))
    #expect(reason(futures[0].cancellationReason) == Reason("why"))
    #expect(futures[1].result?.value == 1)
    #expect(reason(futures[2].cancellationReason) == Reason("why"))
  }

  @Test func `optional and Void values are collected as any`() {
    #expect(ValueFuture.all([ValueFuture<Int?>.completed(with: nil), .completed(with: 1)]).result?.value == [nil, 1])
    let void = ValueFuture<Void>()
    let all = ValueFuture.all([void, .completed(with: ())])
    void.complete()
    #expect(all.result?.value?.count == 2)
  }

  @Test func `ten thousand are combined`() {
    let futures = make(10_000)
    let all = ValueFuture.all(futures)
    for index in futures.indices.reversed() {
      #expect(all.isPending)
      futures[index].complete(with: index)
    }
    #expect(all.result?.value == Array(0..<10_000))
    let others = make(10_000)
    ValueFuture.all(others).cancel(throwing: Reason("why"))
    #expect(others.allSatisfy { reason($0.cancellationReason) == Reason("why") })
  }

  @Test func `the values that threads bring at the same time are all there`() async {
    await stress(
      rounds: iterations(300),
      make: { () -> ([ValueFuture<Int>], ValueFuture<[Int]>) in
        let futures = (0..<4).map { _ in ValueFuture<Int>() }
        return (futures, ValueFuture.all(futures))
      },
      actors: (0..<2).map { actor in
        { subject in for index in [actor, actor + 2] { subject.0[index].complete(with: index) } }
      },
      verify: { #expect($0.1.result?.value == [0, 1, 2, 3]) }
    )
  }

  @Test func `the type may be that of the parts, that of the whole, or left out`() {
    let parts = (0..<2).map { ValueFuture<Int>.completed(with: $0) }
    let whole: [ValueFuture<[Int]>] = [ValueFuture.all(parts), ValueFuture<Int>.all(parts), .all(parts)]
    #expect(whole.map { $0.result?.value } == [[0, 1], [0, 1], [0, 1]])
    let settled: [ValueFuture<[Result<Int, any Error>]>] = [
      ValueFuture.allSettled(parts), ValueFuture<Int>.allSettled(parts), .allSettled(parts),
    ]
    #expect(settled.map { $0.result?.value?.map(\.value) } == [[0, 1], [0, 1], [0, 1]])
  }

  // MARK: allSettled

  @Test func `allSettled has all results in the order of the futures`() {
    let futures = make(3)
    let all = ValueFuture.allSettled(futures)
    futures[2].complete(with: 2)
    futures[1].cancel(throwing: Reason("why"))
    #expect(all.isPending)
    futures[0].complete(throwing: Reason("broken"))
    let results = all.result?.value ?? []
    #expect(results.map(\.value) == [nil, nil, 2])
    #expect(results.map { reason($0.error) } == [Reason("broken"), Reason("why"), nil])
  }

  @Test func `allSettled of none, of resolved ones and of duplicates`() {
    #expect(ValueFuture.allSettled([ValueFuture<Int>]()).result?.value?.count == 0)
    let cancelled = ValueFuture<Int>()
    cancelled.cancel(throwing: Reason("why"))
    let results = ValueFuture.allSettled(completed(1) + [cancelled, cancelled]).result?.value ?? []
    #expect(results.map { reason($0.error) } == [nil, Reason("why"), Reason("why")])
  }

  @Test func `cancelling allSettled cancels those that are pending`() {
    let futures = make(3)
    let all = ValueFuture.allSettled(futures)
    futures[1].complete(throwing: Reason("broken"))
    all.cancel(throwing: Reason("why"))
    #expect(all.isCancelled)
    #expect(futures.map { reason($0.cancellationReason) } == [Reason("why"), nil, Reason("why")])
  }

  // MARK: zip

  @Test func `zip has values of different types`() {
    let (number, text, flag) = (ValueFuture<Int>(), ValueFuture<String>(), ValueFuture<Bool?>())
    let two = ValueFuture.zip(number, text)
    let three = ValueFuture.zip(number, text, flag)
    let five = ValueFuture.zip(number, text, flag, ValueFuture.completed(with: ()), number)
    text.complete(with: "seven")
    #expect(two.isPending)
    number.complete(with: 7)
    #expect(two.result?.value?.0 == 7)
    #expect(two.result?.value?.1 == "seven")
    #expect(three.isPending)
    flag.complete(with: nil)
    #expect(three.result?.value?.0 == 7)
    #expect(three.result?.value?.1 == "seven")
    #expect(three.result?.value?.2 == .some(nil))
    #expect(five.result?.value?.1 == "seven")
    #expect(five.result?.value?.4 == 7)
  }

  @Test func `zip completes as soon as one fails, and leaves the others alone`() {
    let (first, second) = (ValueFuture<Int>(), ValueFuture<String>())
    let zip = ValueFuture.zip(first, second)
    second.complete(throwing: Reason("broken"))
    #expect(zip.isCompleted)
    #expect(zip.result?.value == nil)
    #expect(first.isPending)
  }

  @Test
  func `zip fails with the error of the one that failed`() {
    let (first, second) = (ValueFuture<Int>(), ValueFuture<String>())
    let zip = ValueFuture.zip(first, second)
    second.complete(throwing: Reason("broken"))
    #expect(reason(zip.result?.error) == Reason("broken"))
  }

  @Test func `cancelling zip cancels those that are pending`() {
    let (first, second, third) = (ValueFuture<Int>(), ValueFuture<String>(), ValueFuture<Void>())
    let zip = ValueFuture.zip(first, second, third)
    second.complete(with: "")
    zip.cancel(throwing: Reason("why"))
    #expect(reason(first.cancellationReason) == Reason("why"))
    #expect(second.isCompleted)
    #expect(reason(third.cancellationReason) == Reason("why"))
  }

  // MARK: Lazy

  @Test func `combining starts lazy work`() async throws {
    func makeLazy(_ value: Int) -> ValueFuture<Int> { .lazy { _ in value } }
    let all = ValueFuture.all([makeLazy(0), makeLazy(1)])
    let settled = ValueFuture.allSettled([makeLazy(0), makeLazy(1)])
    let zip = ValueFuture.zip(makeLazy(0), makeLazy(1))
    let race = ValueFuture.race([makeLazy(7)])
    let any = ValueFuture.any([.completed(throwing: Reason("broken")), makeLazy(7)])
    for work in [all, settled, zip, race, any] as [any CancellableWork] {
      #expect(await work.outcome == .completed)
    }
    #expect(all.result?.value == [0, 1])
    #expect(race.result?.value == 7)
    #expect(any.result?.value == 7)
  }

  // MARK: Who keeps whom

  /// Combinations, in a form that a test can have as its argument.
  enum Combination: CaseIterable, Sendable {
    case all, allSettled, zip, any, anyCancellingLosers, race, raceCancellingLosers

    /// A combined future, whatever its value is.
    struct Combined: CancellableWork {
      let cancelToken: CancelToken
      let complete: @Sendable () -> Void

      init<Value>(_ future: ValueFuture<Value>) {
        cancelToken = future.cancelToken
        complete = { future.complete(throwing: Reason("completed directly")) }
      }
    }

    func combine(_ futures: [ValueFuture<Int>]) -> Combined {
      switch self {
      case .all: Combined(ValueFuture.all(futures))
      case .allSettled: Combined(ValueFuture.allSettled(futures))
      case .zip: Combined(ValueFuture.zip(futures[0], futures[1]))
      case .any: Combined(ValueFuture.any(futures))
      case .anyCancellingLosers: Combined(ValueFuture.any(futures, cancelLosers: true))
      case .race: Combined(ValueFuture.race(futures))
      case .raceCancellingLosers: Combined(ValueFuture.race(futures, cancelLosers: true))
      }
    }
  }

  @Test(arguments: Combination.allCases)
  func `the given ones keep the new one while they are pending`(_ combination: Combination) {
    let futures = make(2)
    func combine() -> WeakWork { WeakWork(combination.combine(futures)) }
    let combined = combine()
    #expect(!combined.isGone)
    for future in futures { future.complete(with: 7) }
    #expect(combined.isGone)
  }

  @Test(arguments: Combination.allCases)
  func `the new one doesn't keep the given ones, and knows when they are gone`(_ combination: Combination) {
    func combine() -> (Combination.Combined, [WeakWork]) {
      let futures = make(2)
      return (combination.combine(futures), futures.map { WeakWork($0) })
    }
    let (combined, futures) = combine()
    #expect(futures.allSatisfy { $0.isGone })
    if combination == .allSettled {
      #expect(combined.isCompleted)
    } else {
      #expect(combined.cancellationReason is AbandonedError)
    }
  }

  @Test(arguments: Combination.allCases, [false, true])
  func `one that is resolved directly is forgotten`(_ combination: Combination, _ isCompleted: Bool) {
    let futures = make(2)
    func combine() -> WeakWork {
      let combined = combination.combine(futures)
      isCompleted ? combined.complete() : combined.cancel()
      return WeakWork(combined)
    }
    #expect(combine().isGone)
    let cancelsLosers = [Combination.anyCancellingLosers, .raceCancellingLosers].contains(combination)
    #expect(futures.allSatisfy { $0.isCancelled == (!isCompleted || cancelsLosers) })
  }

  @Test(arguments: Combination.allCases.filter { $0 != .allSettled })
  func `one that is resolved by one of them is forgotten by the others`(_ combination: Combination) {
    let futures = make(2)
    let isWinner = ![Combination.all, .zip].contains(combination)
    func combine() -> WeakWork {
      let combined = combination.combine(futures)
      isWinner ? futures[0].complete(with: 7) : futures[0].cancel()
      #expect(!combined.isPending)
      return WeakWork(combined)
    }
    #expect(combine().isGone)
  }

  @Test(arguments: Combination.allCases)
  func `handlers of one that is cancelled see all of them cancelled`(_ combination: Combination) {
    let futures = make(2)
    let combined = combination.combine(futures)
    let tree = futures.map(\.cancelToken) + [combined.cancelToken]
    let log = EventLog<Bool>()
    for future in tree { future.onCancel(on: .inline) { log.add(tree.allSatisfy(\.isCancelled)) } }
    combined.cancel()
    #expect(log.events == [true, true, true])
  }

  @Test(arguments: Combination.allCases)
  func `a long-lived one is left as it was by those that it lost to`(_ combination: Combination) {
    let shutdown = ValueFuture<Int>(label: "long-lived")
    for _ in 0..<100 {
      let combined = combination.combine([ValueFuture(), shutdown])
      combined.complete()
      if shutdown.isCancelled { return }
    }
    #expect(shutdown.description == "ValueFuture<Int>(\"long-lived\", pending)")
  }
}
