// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

/// What futures that are made from others keep, and in which order both are told.
@Suite struct ValueFutureTransformingReleaseTests {
  /// What makes a future from another one.
  enum Function: CaseIterable, Sendable {
    case map, mapOnQueue, flatMap, recover, flatMapError, timeout

    /// Derives a future with a closure that keeps an instance.
    func derive(_ future: ValueFuture<Int>, _ live: LiveCount) -> ValueFuture<Int> {
      let instance = live.make()
      switch self {
      case .map:
        return future.map { value in
          instance.touch()
          return value
        }
      case .mapOnQueue:
        return future.map(on: .serialQueue) { value in
          instance.touch()
          return value
        }
      case .flatMap:
        return future.flatMap { value in
          instance.touch()
          return .completed(with: value)
        }
      case .recover:
        return future.recover { _ in
          instance.touch()
          return 8
        }
      case .flatMapError:
        return future.flatMapError { _ in
          instance.touch()
          return .completed(with: 8)
        }
      case .timeout:
        future.onFailure { _ in instance.touch() }
        return future.timeout(after: .seconds(Int64.max))
      }
    }
  }

  /// How the pair may end.
  enum End: CaseIterable, Sendable {
    case value, failure, cancellation, derivedCancelled, derivedCompleted, derivedFailed

    func end(_ source: ValueFuture<Int>, _ derived: ValueFuture<Int>) {
      switch self {
      case .value: source.complete(with: 7)
      case .failure: source.complete(throwing: Reason("broken"))
      case .cancellation: source.cancel()
      case .derivedCancelled: derived.cancel()
      case .derivedCompleted: derived.complete(with: 9)
      case .derivedFailed: derived.complete(throwing: Reason("directly"))
      }
    }
  }

  @Test(arguments: Function.allCases, End.allCases)
  func `the closure is released at the outcome`(_ function: Function, _ end: End) async {
    let (source, live) = (ValueFuture<Int>(label: "source"), LiveCount())
    let derived = function.derive(source, live)
    #expect(live.value == 1)
    end.end(source, derived)
    if function == .timeout, source.isPending { source.cancel() }
    if !source.isPending { _ = await source.handlersFinished }
    _ = await derived.handlersFinished
    #expect(live.value == 0)
  }

  @Test(arguments: Function.allCases, [End.derivedCompleted, .derivedFailed])
  func `completing the new future leaves the old one alone`(_ function: Function, _ end: End) {
    let source = ValueFuture<Int>()
    let derived = function.derive(source, LiveCount())
    end.end(source, derived)
    #expect(source.isPending)
    source.complete(with: 7)
    #expect(source.result?.value == 7)
    #expect(derived.result?.value != 7)
  }

  @Test func `a closure that is released without having run never runs`() {
    let source = ValueFuture<Int>()
    let derived = source.map { _ -> Int in
      Issue.record("the new future had an outcome already")
      return 1
    }
    derived.complete(with: 9)
    source.complete(with: 7)
    #expect(derived.result?.value == 9)
  }

  // MARK: Who keeps whom

  @Test(arguments: Function.allCases)
  func `the old future keeps the new one while it is pending`(_ function: Function) async throws {
    let source = ValueFuture<Int>()
    let log = EventLog<Future.Outcome>()
    func derive() -> WeakWork {
      let derived = function.derive(source, LiveCount())
      derived.onCleanUp(on: .inline) { log.add($0) }
      return WeakWork(derived)
    }
    let derived = derive()
    #expect(!derived.isGone)
    source.complete(with: 7)
    _ = await source.handlersFinished
    #expect(log.events == [.completed])
    // The closure of a handler on a queue goes after that has returned.
    try await eventually("the derived future is released") { derived.isGone }
  }

  @Test(arguments: Function.allCases)
  func `the new future doesn't keep the old one, and knows when it is gone`(_ function: Function) {
    let live = LiveCount()
    func derive() -> (WeakWork, ValueFuture<Int>) {
      let source = ValueFuture<Int>()
      return (WeakWork(source), function.derive(source, live))
    }
    let (source, derived) = derive()
    #expect(source.isGone)
    #expect(live.value == 0)
    #expect(derived.cancellationReason is AbandonedError)
  }

  @Test(arguments: Function.allCases, [End.derivedCancelled, .derivedCompleted, .derivedFailed])
  func `the old future forgets a new one that was resolved directly`(_ function: Function, _ end: End) {
    let source = ValueFuture<Int>()
    func derive() -> WeakWork {
      let derived = function.derive(source, LiveCount())
      end.end(source, derived)
      return WeakWork(derived)
    }
    #expect(derive().isGone)
  }

  @Test func `a closure that waits for its queue doesn't run when the new future is resolved meanwhile`() async {
    let (queue, source) = (MarkedQueue("later"), ValueFuture<Int>())
    queue.queue.suspend()
    let derived = source.map(on: queue.queue) { value in
      Issue.record("it ran")
      return value
    }
    source.complete(with: 1)
    derived.cancel()
    queue.queue.resume()
    await queue.drained()
    #expect(derived.isCancelled)
  }

  @Test func `what flatMap waits for keeps it, and not the other way round`() {
    let inner = ValueFuture<Int>()
    func derive() -> WeakWork {
      let derived = ValueFuture.completed(with: ()).flatMap { inner }
      return WeakWork(derived)
    }
    let derived = derive()
    #expect(!derived.isGone)
    inner.complete(with: 7)
    #expect(derived.isGone)
    func choose() -> (WeakWork, ValueFuture<Int>) {
      let holder = EventLog<ValueFuture<Int>>()
      holder.add(ValueFuture())
      let derived = ValueFuture.completed(with: ()).flatMap { holder.events[0] }
      return (WeakWork(holder.events[0]), derived)
    }
    let (chosen, waiting) = choose()
    #expect(chosen.isGone)
    #expect(waiting.cancellationReason is AbandonedError)
  }

  @Test func `many that come and go leave a long-lived future as it was`() {
    let (source, live) = (ValueFuture<Int>(label: "long-lived"), LiveCount())
    for index in 0..<20_000 {
      let derived = source.map { [instance = live.make()] value in
        instance.touch()
        return value
      }
      derived.complete(with: index)
      let timed = source.timeout(after: .seconds(Int64.max))
      timed.complete(with: index)
    }
    #expect(live.value == 0)
    #expect(source.description == "ValueFuture<Int>(\"long-lived\", pending)")
  }

  // MARK: L11 Trees

  @Test(arguments: Function.allCases)
  func `handlers of a cancelled new future see the old one cancelled, and the other way round`(_ function: Function) {
    for isFromSource in [false, true] {
      let source = ValueFuture<Int>()
      let middle = function.derive(source, LiveCount())
      let derived = function.derive(middle, LiveCount())
      let chain = [source, middle, derived]
      let log = EventLog<Bool>()
      for future in chain {
        future.onCancel(on: .inline) { log.add(chain.allSatisfy { $0.isCancelled }) }
      }
      (isFromSource ? source : derived).cancel(throwing: Reason("why"))
      #expect(log.events == [true, true, true])
      #expect(chain.allSatisfy { reason($0.cancellationReason) == Reason("why") })
    }
  }

  @Test func `a cancellation in the middle of a tree reaches all branches first`() {
    let root = ValueFuture<Int>()
    let branches = (0..<3).map { index in root.map { $0 + index } }
    let leaves = branches.map { branch in branch.recover { _ in 0 } }
    let tree = [root] + branches + leaves
    let log = EventLog<Bool>()
    for future in tree { future.onCancel(on: .inline) { log.add(tree.allSatisfy { $0.isCancelled }) } }
    leaves[1].cancel()
    #expect(log.events == Array(repeating: true, count: tree.count))
  }

  @Test func `what flatMap waits for is told with it`() {
    let inner = ValueFuture<Int>()
    let derived = ValueFuture.completed(with: ()).flatMap { inner }.map { $0 }
    let log = EventLog<Bool>()
    inner.onCancel(on: .inline) { log.add(derived.isCancelled) }
    derived.onCancel(on: .inline) { log.add(inner.isCancelled) }
    derived.cancel()
    #expect(log.events == [true, true])
  }

  @Test func `one with a queued block follows behind it`() async {
    let source = ValueFuture<Int>()
    let derived = source.map { $0 }
    let gate = Gate("line")
    source.standStill(until: gate)
    derived.cancel(throwing: Reason("why"))
    #expect(source.isPending)
    gate.open()
    #expect(await source.outcome == .cancelled)
    #expect(reason(source.cancellationReason) == Reason("why"))
  }
}
