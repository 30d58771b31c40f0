// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

@Suite struct ValueFutureTests {
  // MARK: Poll

  @Test func `a new one is pending and has no result`() {
    let future = ValueFuture<Int>()
    #expect(future.isPending)
    #expect(!future.isCompleted)
    #expect(!future.isCancelled)
    #expect(future.result == nil)
  }

  @Test func `a completed one has its value as often as it is asked`() {
    let future = ValueFuture<Int>()
    future.complete(with: 7)
    #expect(!future.isPending)
    #expect(future.isCompleted)
    #expect(!future.isCancelled)
    #expect(future.result?.value == 7)
    #expect(future.result?.value == 7)
  }

  @Test func `a failed one is completed and has its error`() {
    let future = ValueFuture<Int>()
    future.complete(throwing: Reason("broken"))
    #expect(future.isCompleted)
    #expect(!future.isCancelled)
    #expect(reason(future.result?.error) == Reason("broken"))
  }

  @Test func `a cancelled one has no result but a reason`() {
    let future = ValueFuture<Int>()
    future.cancel(throwing: Reason("why"))
    #expect(!future.isPending)
    #expect(!future.isCompleted)
    #expect(future.isCancelled)
    #expect(future.result == nil)
    #expect(reason(future.cancellationReason) == Reason("why"))
  }

  @Test func `asking for the result doesn't start lazy work`() async throws {
    let log = EventLog<String>()
    let future = ValueFuture<Int>.lazy { _ in
      log.add("computed")
      return 7
    }
    #expect(future.result == nil)
    #expect(future.isPending)
    log.add("asked")
    #expect(try await future.value == 7)
    #expect(log.events == ["asked", "computed"])
  }

  @Test func `its future and its token share its outcome`() {
    let completed = ValueFuture<Int>(label: "shared")
    #expect(completed.origin.label == "shared")
    completed.complete(with: 7)
    #expect(completed.isCompleted)
    #expect(completed.cancelToken.isCompleted)
    let cancelled = ValueFuture<Int>()
    cancelled.cancelToken.cancel(throwing: Reason("by token"))
    #expect(reason(cancelled.cancellationReason) == Reason("by token"))
    #expect(cancelled.isCancelled)
  }

  @Test func `code that sees the outcome has the result`() async {
    struct Contest: Sendable {
      let future = ValueFuture<Int>()
      let wrong = EventLog<Bool>()
    }
    await stress(
      rounds: iterations(1_000),
      make: { Contest() },
      actors: [
        { $0.future.complete(with: 7) },
        { contest in
          while contest.future.isPending {}
          if contest.future.result?.value != 7 { contest.wrong.add(true) }
        },
      ],
      verify: { #expect($0.wrong.events == []) }
    )
  }

  // MARK: What the value may be

  @Test func `the value may be nil, which is a value like any other`() async throws {
    let future = ValueFuture<Int?>()
    let log = EventLog<Int?>()
    future.onValue(on: .inline) { log.add($0) }
    future.complete(with: nil)
    #expect(log.events == [nil])
    #expect(future.result != nil)
    #expect(future.result?.value == .some(nil))
    #expect(try await future.value == nil)
    let other = ValueFuture<Int?>()
    other.complete(with: 7)
    #expect(try await other.value == 7)
  }

  @Test func `the value may be Void`() async throws {
    let future = ValueFuture<Void>()
    let log = EventLog<String>()
    future.onValue(on: .inline) { log.add("value") }
    future.complete()
    #expect(log.events == ["value"])
    #expect(future.result?.value != nil)
    try await future.value
  }

  // MARK: Identity

  @Test func `copies are the same future`() {
    let future = ValueFuture<Int>()
    let copy = future
    #expect(copy == future)
    #expect(copy.hashValue == future.hashValue)
    copy.complete(with: 7)
    #expect(future.result?.value == 7)
  }

  @Test func `others are not, though their results are equal`() {
    let (first, second) = (ValueFuture<Int>.completed(with: 7), ValueFuture<Int>.completed(with: 7))
    #expect(first != second)
    #expect(Set([first, second, first]).count == 2)
  }

  @Test func `one that is made from another is another`() {
    let future = ValueFuture<Int>()
    #expect(future.recover { _ in 0 } != future)
    #expect(future.map { $0 } != future)
  }

  // MARK: Queue

  @Test func `its private queue runs on the given target`() async {
    let target = MarkedQueue("target")
    let future = ValueFuture<Int>(target: target.queue)
    let log = EventLog<Bool>()
    future.onValue { _ in log.add(target.isCurrent) }
    future.onCleanUp { log.add(target.isCurrent) }
    future.complete(with: 7)
    _ = await future.handlersFinished
    #expect(log.events == [true, true])
  }

  // MARK: Description

  @Test func `the description tells the label and the state`() {
    let future = ValueFuture<String>(label: "notes")
    #expect(future.description == "ValueFuture<String>(\"notes\", pending)")
    let cancelled = ValueFuture<String>(label: "notes")
    cancelled.cancel(throwing: Reason("why"))
    #expect(cancelled.description == "ValueFuture<String>(\"notes\", cancelled (\(Reason("why"))))")
    let failed = ValueFuture<String>(label: "notes")
    failed.complete(throwing: Reason("broken"))
    #expect(failed.description == "ValueFuture<String>(\"notes\", failed (\(Reason("broken"))))")
  }

  @Test func `the description leaves the value out`() {
    let future = ValueFuture<String>(label: "password")
    future.complete(with: "secret")
    #expect(future.description == "ValueFuture<String>(\"password\", completed)")
    #expect(!"\(future.cancelToken)".contains("secret"))
  }

  @Test func `without a label the description tells the place`() {
    let line: UInt = #line + 1
    let future = ValueFuture<Int>()
    #expect(future.description == "ValueFuture<Int>(made at \(#fileID):\(line), pending)")
  }

  @Test func `the description counts the handlers that wait`() {
    let future = ValueFuture<Int>(label: "f")
    let first = future.onValue { _ in }
    #expect(future.description == "ValueFuture<Int>(\"f\", pending, 1 handler)")
    future.onFailure { _ in }
    future.onCancel {}
    #expect(future.description == "ValueFuture<Int>(\"f\", pending, 3 handlers)")
    first.unregister()
    #expect(future.description == "ValueFuture<Int>(\"f\", pending, 2 handlers)")
  }

  @Test func `describing doesn't count as receiving`() {
    let log = EventLog<Int>()
    func describe() {
      let future = ValueFuture<Int>(onUndelivered: { log.add($0) })
      future.complete(with: 7)
      _ = future.description
    }
    describe()
    #expect(log.events == [7])
  }
}
