// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

/// A value that futures pass on to each other is one value: received by somebody, or handed over once.
@Suite struct ValueFuturePassingOnTests {
  /// Futures that pass on another one's outcome.
  enum Way: CaseIterable, Sendable {
    case timeout, race, raceCancellingLosers, any, recover, flatMapError, chosenByError, flatMap, shared, twice

    func pass(_ future: ValueFuture<Int>) -> ValueFuture<Int> {
      switch self {
      case .timeout: future.timeout(after: .seconds(1_000))
      case .race: .race([future, ValueFuture()])
      case .raceCancellingLosers: .race([ValueFuture(), future], cancelLosers: true)
      case .any: .any([.completed(throwing: Reason("drops out")), future])
      case .recover: future.recover { _ in 0 }
      case .flatMapError: future.flatMapError { _ in .completed(with: 0) }
      case .chosenByError: ValueFuture.completed(throwing: Reason("broken")).flatMapError { _ in future }
      case .flatMap: ValueFuture.completed(with: ()).flatMap { future }
      case .shared: SharedFuture(future).join() ?? future
      case .twice: Way.race.pass(Way.timeout.pass(future))
      }
    }
  }

  private let log = EventLog<Int>()

  private func make() -> ValueFuture<Int> {
    ValueFuture(onUndelivered: { [log] in log.add($0) })
  }

  /// What has been handed over, when something has: a timer that was disarmed is released by Dispatch in its own time.
  private var handedOver: [Int] {
    get async throws {
      try await eventually("the value is handed over") { log.events != [] }
      return log.events
    }
  }

  @Test(arguments: Way.allCases, [false, true])
  func `received at the end of the way it doesn't go to onUndelivered`(_ way: Way, _ late: Bool) {
    func use() {
      let future = make()
      if late { future.complete(with: 7) }
      let derived = way.pass(future)
      future.complete(with: late ? 8 : 7)
      #expect(derived.result?.value == 7)
    }
    use()
    #expect(log.events == (late ? [8] : []))
  }

  @Test(arguments: Way.allCases)
  func `received at its beginning it doesn't go to onUndelivered`(_ way: Way) {
    func use() {
      let future = make()
      let derived = way.pass(future)
      future.complete(with: 7)
      #expect(derived.isCompleted)
      #expect(future.result?.value == 7)
    }
    use()
    #expect(log.events == [])
  }

  @Test(arguments: Way.allCases, [false, true])
  func `received nowhere it goes to onUndelivered once, when the last of the futures goes`(
    _ way: Way,
    _ late: Bool
  ) async throws {
    func passOn() -> ValueFuture<Int> {
      let future = make()
      if late { future.complete(with: 7) }
      let derived = way.pass(future)
      if !late { future.complete(with: 7) }
      return derived
    }
    func use() {
      let derived = passOn()
      #expect(derived.isCompleted)
      #expect(log.events == [])
    }
    use()
    #expect(try await handedOver == [7])
  }

  @Test(arguments: Way.allCases)
  func `when nobody keeps the end of the way it goes to onUndelivered as well`(_ way: Way) async throws {
    func use() {
      let future = make()
      _ = way.pass(future)
      future.complete(with: 7)
    }
    use()
    #expect(try await handedOver == [7])
  }

  @Test(arguments: Way.allCases)
  func `after the end of the way was cancelled the value is too late, and goes to onUndelivered`(_ way: Way) {
    let future = make()
    let derived = way.pass(future)
    derived.cancel(throwing: Reason("why"))
    #expect(future.isCancelled)
    future.complete(with: 7)
    #expect(log.events == [7])
  }

  @Test(arguments: Way.allCases)
  func `after the end of the way was completed otherwise the value goes to onUndelivered`(_ way: Way) async throws {
    func use() {
      let future = make()
      let derived = way.pass(future)
      derived.complete(with: 1)
      future.complete(with: 7)
      #expect(derived.result?.value == 1)
    }
    use()
    #expect(try await handedOver == [7])
  }

  // MARK: Values that are collected

  private func combined(_ futures: [ValueFuture<Int>], zip: Bool) -> CancelToken {
    zip ? ValueFuture.zip(futures[0], futures[1]).cancelToken : ValueFuture.all(futures).cancelToken
  }

  @Test(arguments: [false, true])
  func `collected values are not received if one of the others fails`(_ zip: Bool) {
    func use() {
      let (first, second) = (make(), make())
      let all = combined([first, second], zip: zip)
      first.complete(with: 7)
      second.complete(throwing: Reason("broken"))
      #expect(all.isCompleted)
    }
    use()
    #expect(log.events == [7])
  }

  @Test(arguments: [false, true])
  func `collected values are not received if the combined future is cancelled`(_ zip: Bool) {
    func use() {
      let (first, second) = (make(), make())
      let all = combined([first, second], zip: zip)
      first.complete(with: 7)
      all.cancel()
      second.complete(with: 8)
    }
    use()
    #expect(log.events.sorted() == [7, 8])
  }

  @Test(arguments: [false, true])
  func `collected values are not received if the others are dropped`(_ zip: Bool) {
    func use() {
      let (first, second) = (make(), make())
      _ = combined([first, second], zip: zip)
      first.complete(with: 7)
    }
    use()
    #expect(log.events == [7])
  }

  @Test(arguments: [false, true])
  func `the value of a loser goes to its own`(_ cancelLosers: Bool) {
    let (winners, losers) = (EventLog<Int>(), EventLog<Int>())
    func use() {
      let winner = ValueFuture<Int>(onUndelivered: { winners.add($0) })
      let loser = ValueFuture<Int>(onUndelivered: { losers.add($0) })
      let race = ValueFuture.race([loser, winner], cancelLosers: cancelLosers)
      winner.complete(with: 1)
      #expect(loser.isCancelled == cancelLosers)
      loser.complete(with: 2)
      #expect(losers.events == (cancelLosers ? [2] : []))
      #expect(race.result?.value == 1)
    }
    use()
    #expect(losers.events == [2])
    #expect(winners.events == [])
  }
}
