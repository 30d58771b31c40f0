// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

@Suite struct ValueFutureResolvingTests {
  // MARK: The first one wins

  @Test func `of several values the first one counts`() {
    let future = ValueFuture<Int>()
    future.complete(with: 1)
    future.complete(with: 2)
    future.complete(throwing: Reason("late"))
    future.complete(with: .success(3) as Result<Int, Reason>)
    future.cancel()
    #expect(future.result?.value == 1)
    #expect(!future.isCancelled)
  }

  @Test func `after an error comes nothing`() {
    let future = ValueFuture<Int>()
    future.complete(throwing: Reason("first"))
    future.complete(throwing: Reason("second"))
    future.complete(with: 1)
    future.cancel()
    #expect(reason(future.result?.error) == Reason("first"))
  }

  @Test func `after a cancellation comes nothing`() {
    let future = ValueFuture<Int>()
    future.cancel(throwing: Reason("first"))
    future.cancel(throwing: Reason("second"))
    future.complete(with: 1)
    future.complete(throwing: Reason("late"))
    #expect(reason(future.cancellationReason) == Reason("first"))
    #expect(future.result == nil)
  }

  @Test func `of threads that complete at the same time one wins, with its own value`() async {
    struct Contest: Sendable {
      let future = ValueFuture<Int>()
      let winners = EventLog<Int>()
    }
    await stress(
      rounds: iterations(500),
      make: { Contest() },
      actors: (0..<3).map { index in
        { contest in if contest.future.tryComplete(with: index) { contest.winners.add(index) } }
      },
      verify: { contest in
        #expect(contest.winners.events.count == 1)
        #expect(contest.future.result?.value == contest.winners.events.first)
      }
    )
  }

  // MARK: Results

  @Test func `a result brings a value or an error, whatever the type of the error is`() {
    let first = ValueFuture<Int>()
    first.complete(with: .success(7) as Result<Int, Reason>)
    #expect(first.result?.value == 7)
    let second = ValueFuture<Int>()
    second.complete(with: .failure(Reason("specific")))
    #expect(reason(second.result?.error) == Reason("specific"))
    let third = ValueFuture<Int>()
    third.complete(with: .failure(Reason("any")) as Result<Int, any Error>)
    #expect(reason(third.result?.error) == Reason("any"))
    let fourth = ValueFuture<Int>()
    fourth.complete(with: .success(7) as Result<Int, Never>)
    #expect(fourth.result?.value == 7)
    #expect(third.isCompleted)
  }

  @Test func `completing with CancellationError is a failure, not a cancellation`() {
    let future = ValueFuture<Int>()
    future.complete(throwing: CancellationError())
    #expect(future.isCompleted)
    #expect(future.result?.error is CancellationError)
  }

  // MARK: Try

  @Test func `tryComplete tells whether it was this call`() {
    let future = ValueFuture<Int>()
    #expect(future.tryComplete(with: 1))
    #expect(!future.tryComplete(with: 2))
    #expect(!future.tryComplete(throwing: Reason("late")))
    #expect(!future.tryCancel())
    #expect(future.result?.value == 1)
  }

  @Test func `tryComplete with an error tells whether it was this call`() {
    let future = ValueFuture<Int>()
    #expect(future.tryComplete(throwing: Reason("first")))
    #expect(!future.tryComplete(throwing: Reason("second")))
    #expect(!future.tryComplete(with: 1))
    #expect(reason(future.result?.error) == Reason("first"))
  }

  @Test func `tryCancel tells whether it was this call`() {
    let future = ValueFuture<Int>()
    #expect(future.tryCancel(throwing: Reason("first")))
    #expect(!future.tryCancel(throwing: Reason("second")))
    #expect(!future.tryComplete(with: 1))
    #expect(reason(future.cancellationReason) == Reason("first"))
    let other = ValueFuture<Int>()
    #expect(other.tryCancel())
    #expect(other.cancellationReason is CancellationError)
  }

  @Test func `cancel without a reason gives CancellationError`() {
    let future = ValueFuture<Int>()
    future.cancel()
    #expect(future.cancellationReason is CancellationError)
  }

  // MARK: Turns

  @Test func `a completion behind a block is queued and doesn't block`() async throws {
    let future = ValueFuture<Int>()
    let gate = Gate("line")
    future.standStill(until: gate)
    future.complete(with: 1)
    future.complete(with: 2)
    future.cancel()
    #expect(future.isPending)
    #expect(future.result == nil)
    gate.open()
    #expect(try await future.value == 1)
  }

  @Test func `tryComplete waits for the block before it`() async {
    let future = ValueFuture<Int>()
    let gate = Gate("line")
    let log = EventLog<String>()
    future.perform {
      gate.wait()
      log.add("block")
    }
    let attempt = Task {
      await onThread {
        gate.open()
        let isFirst = future.tryComplete(with: 7)
        log.add("completed")
        return isFirst
      }
    }
    #expect(await attempt.value)
    #expect(log.events == ["block", "completed"])
  }

  @Test func `inside a block of its own queue it is completed in place, and handlers follow the block`() async {
    let future = ValueFuture<Int>()
    let log = EventLog<String>()
    future.onValue(on: .inline) { log.add("handler: \($0)") }
    await future.withTurn {
      log.add("first: \(future.tryComplete(with: 1))")
      log.add("second: \(future.tryComplete(with: 2))")
      log.add("result: \(future.result?.value ?? 0)")
    }
    _ = await future.handlersFinished
    #expect(log.events == ["first: true", "second: false", "result: 1", "handler: 1"])
  }

  @Test func `inline handlers have run when complete returns, on the same thread`() async {
    await onThread {
      let future = ValueFuture<Int>()
      let log = EventLog<Bool>()
      let thread = ObjectIdentifier(Thread.current)
      future.onValue(on: .inline) { _ in log.add(ObjectIdentifier(Thread.current) == thread) }
      future.complete(with: 7)
      #expect(log.events == [true])
    }
  }

  // MARK: Void

  @Test func `a future of Void is completed with nothing`() async throws {
    let future = ValueFuture<Void>()
    let log = EventLog<String>()
    future.onValue(on: .inline) { log.add("value") }
    future.onFailure(on: .inline) { log.add("error: \($0)") }
    future.complete()
    #expect(log.events == ["value"])
    #expect(future.result?.value != nil)
    try await future.value
    #expect(try await future.map { "mapped" }.value == "mapped")
  }

  // MARK: Time

  @Test func `a timer cancels with a TimeoutError that tells interval and label`() async {
    let future = ValueFuture<Int>(label: "slow")
    future.cancel(after: .milliseconds(1))
    await #expect(throws: TimeoutError(interval: .milliseconds(1), label: "slow")) { try await future.value }
    #expect(future.isCancelled)
  }

  @Test func `a timer cancels for the given reason`() async {
    let future = ValueFuture<Int>()
    future.cancel(after: .milliseconds(1), throwing: Reason("too slow"))
    await #expect(throws: Reason("too slow")) { try await future.value }
  }

  @Test(arguments: [Duration.seconds(0), .milliseconds(-1)])
  func `no time at all cancels at once`(_ interval: Duration) {
    let future = ValueFuture<Int>(label: "slow")
    future.cancel(after: interval)
    #expect(future.cancellationReason as? TimeoutError == TimeoutError(interval: interval, label: "slow"))
  }

  @Test func `a timer that comes too late does nothing, and can be unregistered`() async throws {
    let completed = ValueFuture<Int>.completed(with: 7)
    #expect(!completed.cancel(after: .seconds(0)).unregister())
    #expect(try await completed.value == 7)
    let pending = ValueFuture<Int>()
    #expect(pending.cancel(after: .seconds(1_000)).unregister())
    let future = timed()
    try await eventually("the future is released") { future.isGone }
  }

  private func timed() -> WeakWork {
    let future = ValueFuture<Int>()
    future.cancel(after: .seconds(1_000)).unregister()
    return WeakWork(future)
  }

  // MARK: Hold work

  @Test func `attached work is stopped once, with its handle`() {
    let future = ValueFuture<Int>()
    let log = EventLog<String>()
    future.attach {
      log.add("start")
      return "handle"
    } stop: { handle in
      log.add("stop \(handle)")
    }
    #expect(log.events == ["start"])
    future.cancel()
    future.cancel()
    #expect(log.events == ["start", "stop handle"])
  }

  @Test func `work isn't started if the future is cancelled already`() {
    let future = ValueFuture<Int>()
    future.cancel()
    future.attach {
      Issue.record("it was started")
    } stop: {
      Issue.record("it was stopped")
    }
  }

  @Test func `work during whose start the future is cancelled is stopped after it`() {
    let future = ValueFuture<Int>()
    let log = EventLog<String>()
    future.attach {
      future.cancel()
      log.add("started")
    } stop: {
      log.add("stop")
    }
    #expect(log.events == ["started", "stop"])
  }

  @Test func `a completion releases what stops the work`() {
    let future = ValueFuture<Int>()
    let live = LiveCount()
    future.attach {
      live.make()
    } stop: { [instance = live.make()] _ in
      instance.touch()
      Issue.record("it was stopped")
    }
    #expect(live.value == 2)
    future.complete(with: 7)
    #expect(live.value == 0)
  }

  @Test func `work that can't be started throws, and nothing is attached`() {
    let future = ValueFuture<Int>(label: "f")
    func start() throws(Reason) -> Int { throw Reason("no") }
    #expect(throws: Reason("no")) {
      try future.attach(start) { _ in Issue.record("it was stopped") }
    }
    #expect(future.description == "ValueFuture<Int>(\"f\", pending)")
    future.cancel()
  }

  // MARK: Callbacks with two optionals

  @Test func `a callback with two optionals completes with the one that is there`() {
    let (value, failure) = (ValueFuture<Int>(), ValueFuture<Int>())
    value.complete(with: 7, nil)
    failure.complete(with: nil, Reason("broken"))
    #expect(value.result?.value == 7 && reason(failure.result?.error) == Reason("broken"))
    // A nil of the value's own type is a value.
    let optional = ValueFuture<Int?>()
    let nothing: Int? = nil
    optional.complete(with: nothing, nil)
    #expect(optional.result?.value == .some(nil))
  }

  @Test func `neither or both are errors with a name, and the value is given back`() {
    let log = EventLog<Int>()
    let neither = ValueFuture<Int>.makeCompleter()
    neither.complete(with: nil, nil)
    guard case .neitherValueNorError? = neither.future.result?.error as? CallbackError else {
      Issue.record("\(neither.future)")
      return
    }
    let both = ValueFuture<Int>(onUndelivered: { log.add($0) })
    both.complete(with: 7, Reason("broken"))
    guard case .bothValueAndError(let error)? = both.result?.error as? CallbackError else {
      Issue.record("\(both)")
      return
    }
    #expect(reason(error) == Reason("broken") && log.events == [7])
    // Too late, it is given back as well.
    both.complete(with: 8, nil)
    both.complete(with: 9, Reason("again"))
    #expect(log.events == [7, 8, 9])
  }
}
