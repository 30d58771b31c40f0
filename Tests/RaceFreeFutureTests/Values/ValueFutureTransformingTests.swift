// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

@Suite struct ValueFutureTransformingTests {
  private let other = MarkedQueue("other")

  // MARK: map

  @Test(arguments: [false, true])
  func `map computes a value from a value`(_ late: Bool) {
    let future = ValueFuture<Int>()
    if late { future.complete(with: 7) }
    let text = future.map { "\($0)" }
    if !late { #expect(text.isPending) }
    future.complete(with: 7)
    #expect(text.result?.value == "7")
    #expect(future.result?.value == 7)
  }

  @Test(arguments: [false, true])
  func `map passes a failure and a cancellation on`(_ late: Bool) {
    let (failed, cancelled) = (ValueFuture<Int>(), ValueFuture<Int>())
    func resolve() {
      failed.complete(throwing: Reason("broken"))
      cancelled.cancel(throwing: Reason("why"))
    }
    if late { resolve() }
    let first = failed.map { _ in Issue.record("there is no value") }
    let second = cancelled.map { _ in Issue.record("there is no value") }
    resolve()
    #expect(reason(first.result?.error) == Reason("broken"))
    #expect(reason(second.cancellationReason) == Reason("why"))
  }

  @Test func `what map's closure throws is a failure, or a cancellation if it is CancellationError`() {
    let future = ValueFuture<Int>()
    let failed = future.map { _ -> Int in throw Reason("thrown") }
    let cancelled = future.map { _ -> Int in throw CancellationError() }
    future.complete(with: 7)
    #expect(reason(failed.result?.error) == Reason("thrown"))
    #expect(cancelled.isCancelled)
    #expect(cancelled.cancellationReason is CancellationError)
    #expect(future.isCompleted)
  }

  @Test func `a failure with CancellationError stays a failure on its way`() {
    let future = ValueFuture<Int>.completed(throwing: CancellationError())
    #expect(future.timeout(after: .seconds(Int64.max)).result?.error is CancellationError)
    #expect(future.flatMapError { ValueFuture.completed(throwing: $0) }.result?.error is CancellationError)
  }

  @Test func `map and flatMap pass a failure with CancellationError on as a failure`() {
    let future = ValueFuture<Int>.completed(throwing: CancellationError())
    #expect(future.map { $0 }.result?.error is CancellationError)
    #expect(future.flatMap { _ in ValueFuture<Int>() }.result?.error is CancellationError)
  }

  @Test func `map's nil is a value, and the derived future of Void is completed`() {
    let future = ValueFuture<Int>.completed(with: 7)
    #expect(future.map { _ in Int?.none }.result?.value == .some(nil))
    #expect(future.map { _ in }.result?.value != nil)
  }

  // MARK: flatMap

  @Test(arguments: [false, true])
  func `flatMap brings the outcome of the future that was chosen`(_ late: Bool) {
    func choose(_ end: (ValueFuture<String>) -> Void) -> ValueFuture<String> {
      let (future, inner) = (ValueFuture<Int>(), ValueFuture<String>())
      let log = EventLog<Int>()
      let derived = future.flatMap { value in
        log.add(value)
        return inner
      }
      if late { end(inner) }
      future.complete(with: 7)
      #expect(log.events == [7])
      if !late {
        #expect(derived.isPending)
        end(inner)
      }
      return derived
    }
    #expect(choose { $0.complete(with: "seven") }.result?.value == "seven")
    #expect(reason(choose { $0.complete(throwing: Reason("broken")) }.result?.error) == Reason("broken"))
    #expect(reason(choose { $0.cancel(throwing: Reason("why")) }.cancellationReason) == Reason("why"))
  }

  @Test func `flatMap passes a failure and a cancellation on, and chooses none`() {
    let (failed, cancelled) = (ValueFuture<Int>(), ValueFuture<Int>())
    let choose: @Sendable (Int) -> ValueFuture<Int> = { _ in
      Issue.record("there is no value")
      return ValueFuture()
    }
    let (first, second) = (failed.flatMap(choose), cancelled.flatMap(choose))
    failed.complete(throwing: Reason("broken"))
    cancelled.cancel(throwing: Reason("why"))
    #expect(reason(first.result?.error) == Reason("broken"))
    #expect(reason(second.cancellationReason) == Reason("why"))
  }

  @Test func `what flatMap's closure throws is a failure, or a cancellation if it is CancellationError`() {
    let future = ValueFuture<Int>.completed(with: 7)
    let failed = future.flatMap { _ -> ValueFuture<Int> in throw Reason("thrown") }
    let cancelled = future.flatMap { _ -> ValueFuture<Int> in throw CancellationError() }
    #expect(reason(failed.result?.error) == Reason("thrown"))
    #expect(cancelled.isCancelled)
  }

  @Test func `cancelling what flatMap made cancels whichever it waits for`() {
    let (first, unused) = (ValueFuture<Int>(), ValueFuture<String>())
    first.flatMap { _ in unused }.cancel(throwing: Reason("early"))
    #expect(reason(first.cancellationReason) == Reason("early"))
    #expect(unused.isPending)
    let (second, inner) = (ValueFuture<Int>(), ValueFuture<String>())
    let derived = second.flatMap { _ in inner }
    second.complete(with: 7)
    derived.cancel(throwing: Reason("late"))
    #expect(reason(inner.cancellationReason) == Reason("late"))
    #expect(second.result?.value == 7)
  }

  @Test func `one that was cancelled while flatMap's closure ran cancels what that returns`() {
    let (future, inner) = (ValueFuture<Int>(), ValueFuture<String>())
    let holder = EventLog<ValueFuture<String>>()
    holder.add(
      future.flatMap { _ in
        for derived in holder.events { derived.cancel(throwing: Reason("meanwhile")) }
        return inner
      }
    )
    future.complete(with: 7)
    #expect(reason(inner.cancellationReason) == Reason("meanwhile"))
    holder.removeAll()
  }

  // MARK: recover

  @Test(arguments: [false, true])
  func `recover turns an error into a value`(_ late: Bool) {
    let future = ValueFuture<Int>()
    if late { future.complete(throwing: Reason("broken")) }
    let log = EventLog<Reason?>()
    let derived = future.recover { error in
      log.add(reason(error))
      return 8
    }
    future.complete(throwing: Reason("broken"))
    #expect(derived.result?.value == 8)
    #expect(log.events == [Reason("broken")])
    #expect(future.result?.value == nil)
  }

  @Test(arguments: [false, true])
  func `recover and flatMapError pass a value and a cancellation on`(_ late: Bool) {
    let (completed, cancelled) = (ValueFuture<Int>(), ValueFuture<Int>())
    func resolve() {
      completed.complete(with: 7)
      cancelled.cancel(throwing: Reason("why"))
    }
    if late { resolve() }
    let recover: @Sendable (any Error) -> Int = { _ in
      Issue.record("there is no error")
      return 8
    }
    let values = [completed.recover(recover), completed.flatMapError { .completed(with: recover($0)) }]
    let cancellations = [cancelled.recover(recover), cancelled.flatMapError { .completed(with: recover($0)) }]
    resolve()
    #expect(values.map { $0.result?.value } == [7, 7])
    #expect(cancellations.map { reason($0.cancellationReason) } == [Reason("why"), Reason("why")])
  }

  @Test func `what recover's closure throws is a failure, or a cancellation if it is CancellationError`() {
    let future = ValueFuture<Int>.completed(throwing: Reason("broken"))
    let failed = future.recover { _ in throw Reason("thrown") }
    let cancelled = future.recover { _ in throw CancellationError() }
    #expect(reason(failed.result?.error) == Reason("thrown"))
    #expect(cancelled.isCancelled)
  }

  // MARK: flatMapError

  @Test func `flatMapError brings the outcome of another try`() {
    func tryAgain(_ end: (ValueFuture<Int>) -> Void) -> ValueFuture<Int> {
      let (future, again) = (ValueFuture<Int>(), ValueFuture<Int>())
      let log = EventLog<Reason?>()
      let derived = future.flatMapError { error in
        log.add(reason(error))
        return again
      }
      future.complete(throwing: Reason("first"))
      #expect(derived.isPending)
      end(again)
      #expect(log.events == [Reason("first")])
      return derived
    }
    #expect(tryAgain { $0.complete(with: 7) }.result?.value == 7)
    #expect(reason(tryAgain { $0.complete(throwing: Reason("again")) }.result?.error) == Reason("again"))
    #expect(reason(tryAgain { $0.cancel(throwing: Reason("why")) }.cancellationReason) == Reason("why"))
  }

  @Test func `what flatMapError's closure throws is a failure, or a cancellation if it is CancellationError`() {
    let future = ValueFuture<Int>.completed(throwing: Reason("broken"))
    let failed = future.flatMapError { _ in throw Reason("thrown") }
    let cancelled = future.flatMapError { _ in throw CancellationError() }
    #expect(reason(failed.result?.error) == Reason("thrown"))
    #expect(cancelled.isCancelled)
  }

  @Test func `cancelling what flatMapError made cancels whichever it waits for`() {
    let first = ValueFuture<Int>()
    first.flatMapError { _ in ValueFuture() }.cancel(throwing: Reason("early"))
    #expect(reason(first.cancellationReason) == Reason("early"))
    let (second, again) = (ValueFuture<Int>(), ValueFuture<Int>())
    let derived = second.flatMapError { _ in again }
    second.complete(throwing: Reason("broken"))
    derived.cancel(throwing: Reason("late"))
    #expect(reason(again.cancellationReason) == Reason("late"))
    #expect(second.isCompleted)
  }

  // MARK: timeout

  @Test func `in time it brings the outcome`() {
    let (completed, failed, cancelled) = (ValueFuture<Int>(), ValueFuture<Int>(), ValueFuture<Int>())
    let derived = [completed, failed, cancelled].map { $0.timeout(after: .seconds(1_000)) }
    completed.complete(with: 7)
    failed.complete(throwing: Reason("broken"))
    cancelled.cancel(throwing: Reason("why"))
    #expect(derived[0].result?.value == 7)
    #expect(reason(derived[1].result?.error) == Reason("broken"))
    #expect(reason(derived[2].cancellationReason) == Reason("why"))
  }

  @Test func `too late both are cancelled with a TimeoutError`() async {
    let future = ValueFuture<Int>(label: "slow")
    let timed = future.timeout(after: .milliseconds(1))
    let expected = TimeoutError(interval: .milliseconds(1), label: "slow")
    await #expect(throws: expected) { try await timed.value }
    #expect(timed.isCancelled)
    // The cancellation may still be on its way to it.
    #expect(await future.outcome == .cancelled)
    #expect(future.cancellationReason as? TimeoutError == expected)
  }

  @Test(arguments: [Duration.seconds(0), .milliseconds(-1)])
  func `no time at all cancels at once, unless the outcome is there`(_ interval: Duration) {
    let future = ValueFuture<Int>()
    #expect(future.timeout(after: interval).cancellationReason is TimeoutError)
    #expect(future.isCancelled)
    #expect(ValueFuture.completed(with: 7).timeout(after: interval).result?.value == 7)
  }

  @Test(arguments: [Duration.seconds(0), .nanoseconds(-1)])
  func `no time at all never starts lazy work, and never has its value`(_ interval: Duration) async {
    for _ in 0..<iterations(300) {
      let ran = EventLog<Int>()
      let lazy = ValueFuture.lazy { _ in
        ran.add(1)
        return 7
      }
      let timed = lazy.timeout(after: interval)
      #expect(timed.cancellationReason is TimeoutError)
      #expect(lazy.isCancelled)
      // Work that had been started would be waited for, and found.
      #expect(await onThread { (try? lazy.wait()) ?? ran.count } == 0)
    }
  }

  @Test func `a time too long to pass sets no timer, and the future is cancelled in both directions`() {
    let (first, second) = (ValueFuture<Int>(), ValueFuture<Int>())
    let (ofFirst, ofSecond) = (first.timeout(after: .seconds(Int64.max)), second.timeout(after: .seconds(Int64.max)))
    #expect(ofFirst.isPending)
    first.cancel(throwing: Reason("why"))
    ofSecond.cancel(throwing: Reason("back"))
    #expect(reason(ofFirst.cancellationReason) == Reason("why"))
    #expect(reason(second.cancellationReason) == Reason("back"))
  }

  // MARK: Names

  /// The functions that make a future, with a label or without.
  private static let makers: [@Sendable (ValueFuture<Int>, String?, UInt) -> CancelToken] = [
    { $0.map(label: $1, line: $2) { "\($0)" }.cancelToken },
    { $0.flatMap(label: $1, line: $2) { .completed(with: "\($0)") }.cancelToken },
    { $0.recover(label: $1, line: $2) { _ in 0 }.cancelToken },
    { $0.flatMapError(label: $1, line: $2) { _ in .completed(with: 0) }.cancelToken },
    { ValueFuture.all([$0], label: $1, line: $2).cancelToken },
    { ValueFuture.allSettled([$0], label: $1, line: $2).cancelToken },
    { ValueFuture.zip($0, $0, label: $1, line: $2).cancelToken },
    { ValueFuture.any([$0], label: $1, line: $2).cancelToken },
    { ValueFuture.race([$0], label: $1, line: $2).cancelToken },
  ]

  @Test(arguments: makers.indices)
  func `what is made from futures has a label of its own, or is called by its own place`(_ index: Int) async {
    let source = ValueFuture<Int>(label: "source")
    let labelled = Self.makers[index](source, "made", 1)
    let other = ValueFuture<Int>(label: "source")
    let nameless = Self.makers[index](other, nil, 77)
    #expect(labelled.description == "Future(\"made\", pending)")
    #expect(nameless.description == "Future(made at \(#fileID):77, pending)")
    labelled.cancel(after: .seconds(0))
    nameless.cancel(after: .seconds(0))
    // The error belongs to what took too long, wherever it arrives.
    #expect(source.cancellationReason as? TimeoutError == TimeoutError(interval: .seconds(0), label: "made"))
    let place = "made at \(#fileID):77"
    #expect(other.cancellationReason as? TimeoutError == TimeoutError(interval: .seconds(0), label: place))
  }

  @Test func `a limit is called by its own label, by that of what it limits, or by its place`() {
    let (labelled, nameless) = (ValueFuture<Int>(label: "source"), ValueFuture<Int>())
    #expect(labelled.timeout(after: .seconds(Int64.max), label: "limit").origin.label == "limit")
    #expect(labelled.timeout(after: .seconds(Int64.max)).origin.label == "source")
    let line: UInt = #line + 1
    let timed = nameless.timeout(after: .seconds(Int64.max))
    #expect(timed.description == "ValueFuture<Int>(made at \(#fileID):\(line), pending)")
  }

  @Test func `a source that is dropped is the one that AbandonedError names`() {
    func derive() -> ValueFuture<Int> { ValueFuture<Int>(label: "source").map(label: "made") { $0 } }
    let error = derive().cancellationReason as? AbandonedError
    #expect(error?.origin.label == "source")
  }

  // MARK: Contexts

  /// The functions that take a closure, in a form that a test can have as its argument.
  enum Function: CaseIterable, Sendable {
    case map, flatMap, recover, flatMapError

    /// Derives a future; `body` runs in the closure.
    func derive(
      _ future: ValueFuture<Int>,
      on context: HandlerPlace = .inline,
      _ body: @escaping @Sendable () throws -> Void
    ) -> ValueFuture<Int> {
      switch self {
      case .map: future.map(on: context) { ($0, try body()).0 }
      case .flatMap: future.flatMap(on: context) { (.completed(with: $0), try body()).0 }
      case .recover: future.recover(on: context) { _ in (7, try body()).0 }
      case .flatMapError: future.flatMapError(on: context) { _ in (.completed(with: 7), try body()).0 }
      }
    }

    /// Completes the future so that the closure runs.
    func complete(_ future: ValueFuture<Int>) {
      switch self {
      case .map, .flatMap: future.complete(with: 7)
      case .recover, .flatMapError: future.complete(throwing: Reason("broken"))
      }
    }
  }

  @Test(arguments: Function.allCases, [false, true])
  func `by default the closure runs inline, once`(_ function: Function, _ late: Bool) async {
    let isInline = await onThread {
      let future = ValueFuture<Int>()
      let threads = EventLog<ObjectIdentifier>()
      if late { function.complete(future) }
      let derived = function.derive(future) { threads.add(ObjectIdentifier(Thread.current)) }
      function.complete(future)
      function.complete(future)
      return threads.events == [ObjectIdentifier(Thread.current)] && derived.result?.value == 7
    }
    #expect(isInline)
  }

  @Test(arguments: Function.allCases, [false, true])
  func `for a queue it runs there, once`(_ function: Function, _ late: Bool) async throws {
    let future = ValueFuture<Int>()
    let log = EventLog<Bool>()
    if late { function.complete(future) }
    let derived = function.derive(future, on: other.queue.handlerPlace) { [other] in log.add(other.isCurrent) }
    function.complete(future)
    #expect(try await derived.value == 7)
    #expect(log.events == [true])
  }

  @Test(arguments: Function.allCases, [false, true])
  func `for the private queue it runs on that of the source`(_ function: Function, _ late: Bool) async throws {
    let future = ValueFuture<Int>(target: other.queue)
    let log = EventLog<Bool>()
    if late { function.complete(future) }
    let derived = function.derive(future, on: .serialQueue) { [other] in log.add(other.isCurrent) }
    function.complete(future)
    #expect(try await derived.value == 7)
    #expect(log.events == [true])
  }

  @Test(arguments: Function.allCases)
  func `a closure on its way to a queue leaves the new future pending`(_ function: Function) async throws {
    let future = ValueFuture<Int>()
    other.queue.suspend()
    let derived = function.derive(future, on: other.queue.handlerPlace) {}
    function.complete(future)
    #expect(future.isCompleted)
    #expect(derived.isPending)
    other.queue.resume()
    #expect(try await derived.value == 7)
  }

  // MARK: Lazy

  @Test func `they start lazy work`() async throws {
    @Sendable func makeLazy() -> ValueFuture<Int> { .lazy { _ in 7 } }
    let futures = Function.allCases.map { $0.derive(makeLazy()) {} } + [makeLazy().timeout(after: .seconds(1_000))]
    // Waiting for the outcome asks for nothing by itself.
    for future in futures { #expect(await future.outcome == .completed) }
    let chosen = ValueFuture.completed(with: 1).flatMap { _ in makeLazy() }
    #expect(await chosen.outcome == .completed)
    let retried = ValueFuture<Int>.completed(throwing: Reason("broken")).flatMapError { _ in makeLazy() }
    #expect(await retried.outcome == .completed)
  }
}
