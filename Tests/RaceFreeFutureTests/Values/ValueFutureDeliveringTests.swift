// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

/// Deliver or dispose, through every function that makes one future of others, in the moments that are the hardest:
/// each value is received by somebody or given back, and given back once.
@Suite struct ValueFutureDeliveringTests {
  private let log = EventLog<Int>()

  private func make() -> ValueFuture<Int> {
    ValueFuture(onUndelivered: { [log] in log.add($0) })
  }

  /// Everything that makes one future of two.
  enum Way: CaseIterable, Sendable {
    case map, flatMap, flatMapPassing, recover, flatMapError, timeout
    case all, allSettled, zip, any, race, raceCancellingLosers, shared
    case allOfAll, settledOfTimeout, zipOfShared

    /// The future, and how to receive its value.
    func of(
      _ first: ValueFuture<Int>,
      _ second: ValueFuture<Int>
    ) -> (future: CancelToken, receive: @Sendable () -> [Int]) {
      switch self {
      case .map: one(first.map { $0 })
      case .flatMap: one(first.flatMap { .completed(with: $0) })
      case .flatMapPassing: one(ValueFuture.completed(with: ()).flatMap { first })
      case .recover: one(first.recover { _ in 0 })
      case .flatMapError: one(ValueFuture.completed(throwing: Reason("broken")).flatMapError { _ in first })
      case .timeout: one(first.timeout(after: .seconds(Int64.max)))
      case .any: one(.any([first, second]))
      case .race: one(.race([first, second]))
      case .raceCancellingLosers: one(.race([first, second], cancelLosers: true))
      case .shared: one(SharedFuture(first).join() ?? first)
      case .all: several(ValueFuture.all([first, second])) { $0 }
      case .allSettled: several(ValueFuture.allSettled([first, second])) { $0.compactMap(\.value) }
      case .zip: several(ValueFuture.zip(first, second)) { [$0.0, $0.1] }
      case .allOfAll:
        several(ValueFuture.all([ValueFuture.all([first]), ValueFuture.all([second])])) { $0.flatMap { $0 } }
      case .settledOfTimeout:
        several(ValueFuture.allSettled([first, second].map { $0.timeout(after: .seconds(Int64.max)) })) {
          $0.compactMap(\.value)
        }
      case .zipOfShared:
        several(ValueFuture.zip(ValueFuture.all([first, second]), first.recover { _ in 0 })) { $0.0 }
      }
    }

    /// Whether it has the value of both.
    var combines: Bool {
      switch self {
      case .all, .allSettled, .zip, .allOfAll, .settledOfTimeout, .zipOfShared: true
      default: false
      }
    }

    /// Whether a closure of the user's gets the value, and so has received it.
    var receives: Bool { self == .map || self == .flatMap }

    private func one(_ future: ValueFuture<Int>) -> (future: CancelToken, receive: @Sendable () -> [Int]) {
      several(future) { [$0] }
    }

    private func several<Value>(
      _ future: ValueFuture<Value>,
      _ values: @escaping @Sendable (Value) -> [Int]
    ) -> (future: CancelToken, receive: @Sendable () -> [Int]) {
      (future.cancelToken, { future.result.map { $0.value.map(values) ?? [] } ?? [] })
    }
  }

  @Test(arguments: Way.allCases)
  func `nobody asks for its value: what no closure got is given back`(_ way: Way) async throws {
    func use() {
      let (first, second) = (make(), make())
      let made = way.of(first, second)
      first.complete(with: 1)
      second.complete(with: 2)
      #expect(made.future.isCompleted)
      #expect(log.events.isEmpty || way == .raceCancellingLosers)
    }
    use()
    let expected = way.receives ? [2] : [1, 2]
    try await eventually("all is given back") { log.events.count >= expected.count }
    #expect(log.events.sorted() == expected)
  }

  @Test(arguments: Way.allCases)
  func `somebody receives its value: that is received, and what isn't in it is given back`(_ way: Way) async throws {
    func use() -> [Int] {
      let (first, second) = (make(), make())
      let made = way.of(first, second)
      first.complete(with: 1)
      second.complete(with: 2)
      let once = made.receive()
      // Received twice it is the same.
      #expect(made.receive() == once)
      return once
    }
    #expect(use() == (way.combines ? [1, 2] : [1]))
    let expected = way.combines ? [] : [2]
    try await eventually("the rest is given back") { log.events.count >= expected.count }
    #expect(log.events == expected)
  }

  @Test(arguments: Way.allCases)
  func `it is cancelled while its value is queued: the decision is ignored, and the values are given back`(
    _ way: Way
  ) async throws {
    func use() async {
      let (first, second) = (make(), make())
      let made = way.of(first, second)
      let gate = Gate("line")
      made.future.perform {
        gate.wait()
        made.future.cancel(throwing: Reason("why"))
      }
      // All that is to be done for the new future is done; its decision is queued behind the block.
      first.complete(with: 1)
      second.complete(with: 2)
      #expect(made.future.isPending)
      gate.open()
      #expect(await made.future.handlersFinished == .cancelled)
      #expect(made.receive().isEmpty)
    }
    await use()
    let expected = way.receives ? [2] : [1, 2]
    try await eventually("all is given back") { log.events.count >= expected.count }
    #expect(log.events.sorted() == expected)
  }

  @Test(arguments: Way.allCases)
  func `it is cancelled by a handler that comes before it: no closure gets the value, and all are given back`(
    _ way: Way
  ) async throws {
    func use() {
      let (first, second) = (make(), make())
      let target = EventLog<CancelToken>()
      for source in [first, second] {
        source.onComplete(on: .inline) { for future in target.events { future.cancel() } }
      }
      target.add(way.of(first, second).future)
      first.complete(with: 1)
      second.complete(with: 2)
      // A joiner follows as linked futures do, before any handler runs.
      #expect(target.events[0].isCancelled == (way != .shared))
      target.removeAll()
    }
    use()
    try await eventually("all is given back") { log.events.count >= 2 }
    #expect(log.events.sorted() == [1, 2])
  }

  @Test(arguments: Way.allCases.filter(\.combines))
  func `one value of several was received by itself: only the other one is given back`(_ way: Way) async throws {
    func use() {
      let (first, second) = (make(), make())
      let made = way.of(first, second)
      first.complete(with: 1)
      second.complete(with: 2)
      #expect(made.future.isCompleted)
      #expect(first.result?.value == 1)
    }
    use()
    try await eventually("the other one is given back") { !log.events.isEmpty }
    #expect(log.events == [2])
  }

  @Test func `a handler that is removed before it runs hasn't received the values of all`() {
    func use() {
      let (first, second) = (make(), make())
      let all = ValueFuture.all([first, second])
      let other = DispatchQueue(label: "other")
      other.suspend()
      let registration = all.onValue(on: other) { _ in Issue.record("it was removed") }
      first.complete(with: 1)
      second.complete(with: 2)
      #expect(registration.unregister())
      other.resume()
      other.sync {}
    }
    use()
    #expect(log.events.sorted() == [1, 2])
  }

  // MARK: What closures make

  @Test(arguments: [false, true])
  func `what a closure made is given back if the new future was cancelled meanwhile`(_ recovers: Bool) {
    func use() {
      let source = ValueFuture<Int>()
      let target = EventLog<ValueFuture<Int>>()
      let log = log
      target.add(
        recovers
          ? source.recover(onUndelivered: { log.add($0) }) { _ in
            target.events[0].cancel()
            return 3
          }
          : source.map(onUndelivered: { log.add($0) }) { _ in
            target.events[0].cancel()
            return 3
          }
      )
      if recovers { source.complete(throwing: Reason("broken")) } else { source.complete(with: 1) }
      target.removeAll()
    }
    use()
    #expect(log.events == [3])
  }

  @Test func `what a closure made is given back if nobody asks, and isn't if somebody does`() {
    let log = log
    func made() -> ValueFuture<Int> { ValueFuture.completed(with: 1).map(onUndelivered: { log.add($0) }) { $0 + 2 } }
    do { _ = made() }
    #expect(log.events == [3])
    #expect(made().result?.value == 3)
    #expect(log.events == [3])
    // It is the future's own from then on, also for values that are given to it.
    let overruled = made()
    overruled.complete(with: 4)
    #expect(log.events == [3, 4])
    _ = overruled.result
  }

  @Test func `what a closure of flatMap returns is given back if the new future was cancelled meanwhile`() {
    func use(_ make: @escaping @Sendable () -> ValueFuture<Int>) {
      let (source, target) = (ValueFuture<Int>(), EventLog<ValueFuture<Int>>())
      target.add(
        source.flatMap { _ in
          target.events[0].cancel()
          return make()
        }
      )
      source.complete(with: 1)
      target.removeAll()
    }
    let log = log
    use {
      let inner = ValueFuture<Int>(onUndelivered: { log.add($0) })
      inner.complete(with: 3)
      return inner
    }
    #expect(log.events == [3])
    let pending = EventLog<ValueFuture<Int>>()
    pending.add(make())
    use { pending.events[0] }
    #expect(pending.events[0].isCancelled)
    pending.events[0].complete(with: 4)
    #expect(log.events == [3, 4])
  }

  // MARK: Waiting tasks

  @Test func `a value that comes after the deadline of a task stays with the future, and is given back with it`()
    async throws
  {
    func use() async {
      let all = [make(), make()]
      let combined = ValueFuture.all(all)
      await #expect(throws: TimeoutError.self) { try await combined.value(within: .milliseconds(1)) }
      all[0].complete(with: 1)
      all[1].complete(with: 2)
      #expect(combined.isCompleted)
    }
    await use()
    try await eventually("all is given back") { log.events.count == 2 }
    #expect(log.events.sorted() == [1, 2])
  }

  @Test func `a task that wraps the lot with withFuture and is cancelled gives everything back`() async throws {
    let (started, givenBack) = (Gate("started"), EventLog<[Int]>())
    let parts = [make(), make()]
    let task = Task {
      try await withFuture(of: [Int].self, onUndelivered: { givenBack.add($0) }) { completer in
        ValueFuture.all(parts).onResult(on: .inline) { completer.complete(with: $0) }
        started.open()
      }
    }
    await started.passed()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    for (index, part) in parts.enumerated() { part.complete(with: index) }
    // The handler has received them, and could not hand them on.
    try await eventually("the array is given back") { givenBack.events == [[0, 1]] }
    #expect(log.events.isEmpty)
  }
}
