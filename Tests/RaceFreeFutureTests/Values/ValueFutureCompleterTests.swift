// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

@Suite struct ValueFutureCompleterTests {
  private typealias Completer = RaceFreeFuture.Completer<ValueFuture<Int>>

  // MARK: Resolving

  @Test func `it completes with a value`() {
    let first = ValueFuture<Int>.makeCompleter(label: "first")
    #expect(first.future.origin.label == "first")
    first.complete(with: 1)
    first.complete(with: 2)
    #expect(first.future.result?.value == 1)
    let second = ValueFuture<Int>.makeCompleter()
    #expect(second.tryComplete(with: 1))
    #expect(!second.tryComplete(with: 2))
    #expect(!second.future.tryComplete(throwing: Reason("late")))
    #expect(!second.tryCancel())
    #expect(second.future.result?.value == 1)
  }

  @Test func `it completes with an error`() {
    let first = ValueFuture<Int>.makeCompleter()
    first.complete(throwing: Reason("broken"))
    #expect(first.isCompleted)
    #expect(reason(first.future.result?.error) == Reason("broken"))
    let second = ValueFuture<Int>.makeCompleter()
    #expect(second.future.tryComplete(throwing: Reason("broken")))
    #expect(!second.future.tryComplete(throwing: Reason("late")))
    #expect(!second.tryComplete(with: 1))
    #expect(reason(second.future.result?.error) == Reason("broken"))
  }

  @Test func `it completes with a result`() {
    let first = ValueFuture<Int>.makeCompleter()
    first.complete(with: .success(1) as Result<Int, Reason>)
    #expect(first.future.result?.value == 1)
    let second = ValueFuture<Int>.makeCompleter()
    second.complete(with: .failure(Reason("broken")))
    #expect(reason(second.future.result?.error) == Reason("broken"))
  }

  @Test func `that of Void completes without a value`() {
    let completer = ValueFuture<Void>.makeCompleter()
    completer.complete()
    #expect(completer.future.result?.value != nil)
  }

  @Test func `it cancels`() {
    let first = ValueFuture<Int>.makeCompleter()
    first.cancel()
    #expect(first.future.cancellationReason is CancellationError)
    let second = ValueFuture<Int>.makeCompleter()
    #expect(second.tryCancel(throwing: Reason("why")))
    #expect(!second.tryCancel())
    #expect(reason(second.future.cancellationReason) == Reason("why"))
    let third = ValueFuture<Int>.makeCompleter()
    third.cancel(throwing: Reason("why"))
    #expect(reason(third.future.cancellationReason) == Reason("why"))
    let fourth = ValueFuture<Int>.makeCompleter()
    #expect(fourth.tryCancel())
    #expect(fourth.future.cancellationReason is CancellationError)
  }

  // MARK: Undelivered values

  @Test func `a value that nobody receives goes to onUndelivered`() {
    let log = EventLog<Int>()
    func use() {
      let late = ValueFuture<Int>.makeCompleter(onUndelivered: { log.add($0) })
      late.cancel()
      late.complete(with: 1)
      #expect(!late.tryComplete(with: 2))
      #expect(log.events == [1])
      ValueFuture<Int>.makeCompleter(onUndelivered: { log.add($0) }).complete(with: 3)
      let received = ValueFuture<Int>.makeCompleter(onUndelivered: { log.add($0) })
      received.complete(with: 4)
      #expect(received.future.result?.value == 4)
    }
    use()
    #expect(log.events == [1, 3])
  }

  // MARK: Stopping the work

  @Test func `it learns of a cancellation`() async {
    let target = MarkedQueue()
    let completer = ValueFuture<Int>.makeCompleter()
    let log = EventLog<String>()
    completer.onCancel(on: .inline) { log.add("inline") }
    completer.onCancel { log.add("private queue") }
    completer.onCancel(on: target.queue) { log.add("queue: \(target.isCurrent)") }
    #expect(completer.onCancel { log.add("removed") }.unregister())
    completer.cancel()
    #expect(await completer.future.handlersFinished == .cancelled)
    #expect(log.events.sorted() == ["inline", "private queue", "queue: true"])
  }

  @Test func `attached work is stopped at a cancellation`() {
    let completer = ValueFuture<Int>.makeCompleter()
    let log = EventLog<String>()
    completer.attach {
      log.add("start")
      return "handle"
    } stop: {
      log.add("stop \($0)")
    }
    completer.cancel()
    #expect(log.events == ["start", "stop handle"])
    completer.attach {
      Issue.record("work of a cancelled future was started")
    } stop: {
    }
    let other = ValueFuture<Int>.makeCompleter()
    func start() throws(Reason) -> Int { throw Reason("no") }
    #expect(throws: Reason("no")) {
      try other.attach(start) { _ in Issue.record("it was stopped") }
    }
    other.cancel()
  }

  // MARK: Abandonment

  @Test func `dropped while pending it cancels with an error that says what and where`() {
    func drop() -> (ValueFuture<Int>, UInt) {
      let completer = ValueFuture<Int>.makeCompleter(label: "measure")
      return (completer.future, #line - 1)
    }
    let (future, line) = drop()
    let error = future.cancellationReason as? AbandonedError
    #expect(future.isCancelled)
    #expect(error?.origin.label == "measure")
    #expect(error?.origin.place == "\(#fileID):\(line)")
    #expect(
      error?.description
        == "abandoned: \"measure\", made at \(#fileID):\(line), was dropped while it was pending"
    )
  }

  @Test func `without a label the error still says where`() {
    let line: UInt = #line + 1
    let error = ValueFuture<Int>.makeCompleter().future.cancellationReason as? AbandonedError
    #expect(error?.origin.label == nil)
    #expect(error?.origin.place == "\(#fileID):\(line)")
  }

  @Test func `abandoned work wakes everybody who waits for it`() async {
    let holder = EventLog<Completer>()
    holder.add(ValueFuture<Int>.makeCompleter(label: "work"))
    guard let future = holder.events.first?.future else { return }
    let (ran, waiting) = (Gate("handler ran"), Gate("waiting"))
    future.onCancel { ran.open() }
    future.onResult { _ in Issue.record("abandoned work has no result") }
    let task = Task { try await future.value }
    let within = Task { try await future.value(within: .seconds(1_000)) }
    let derived = future.map { $0 + 1 }
    let thread = Task {
      await onThread {
        waiting.open()
        return Result { try future.wait() }
      }
    }
    await waiting.passed()
    holder.removeAll()
    await #expect(throws: AbandonedError.self) { try await task.value }
    await #expect(throws: AbandonedError.self) { try await within.value }
    await #expect(throws: AbandonedError.self) { try await derived.value }
    #expect((await thread.value.error as? AbandonedError)?.origin.label == "work")
    await ran.passed()
  }

  @Test func `abandoned work ends withFuture`() async {
    let line: UInt = #line + 1
    let error = await #expect(throws: AbandonedError.self) {
      try await withFuture(of: Int.self, label: "callback") { completer in
        let callback: @Sendable (Int) -> Void = { completer.complete(with: $0) }
        // An API that drops its callback, later and elsewhere.
        startThread { withExtendedLifetime(callback) {} }
      }
    }
    #expect(error?.origin.label == "callback")
    #expect(error?.origin.place == "\(#fileID):\(line)")
  }

  @Test func `what has an outcome isn't abandoned`() {
    func drop(_ end: (Completer) -> Void) -> ValueFuture<Int> {
      let completer = ValueFuture<Int>.makeCompleter()
      end(completer)
      return completer.future
    }
    #expect(drop { $0.complete(with: 7) }.result?.value == 7)
    #expect(drop { $0.future.complete(with: 7) }.result?.value == 7)
    #expect(reason(drop { $0.complete(throwing: Reason("broken")) }.result?.error) == Reason("broken"))
    #expect(drop { $0.cancel() }.cancellationReason is CancellationError)
  }

  @Test func `a completion that is queued isn't overtaken by abandonment`() async throws {
    let gate = Gate("line")
    func drop() -> ValueFuture<Int> {
      let completer = ValueFuture<Int>.makeCompleter()
      completer.future.standStill(until: gate)
      completer.complete(with: 7)
      return completer.future
    }
    let future = drop()
    gate.open()
    #expect(try await future.value == 7)
  }

  @Test func `the future doesn't keep its completer`() {
    func make() -> (ValueFuture<Int>, Weak<Completer>) {
      let completer = ValueFuture<Int>.makeCompleter()
      completer.onCancel {}
      _ = completer.future.map { $0 }
      return (completer.future, Weak(completer))
    }
    let (future, completer) = make()
    #expect(completer.isGone)
    #expect(future.isCancelled)
  }

  @Test func `a handler of the future that keeps it keeps it until the outcome`() {
    func make() -> (ValueFuture<Int>, Weak<Completer>) {
      let completer = ValueFuture<Int>.makeCompleter()
      completer.onCleanUp(on: .inline) { withExtendedLifetime(completer) {} }
      return (completer.future, Weak(completer))
    }
    let (future, completer) = make()
    #expect(!completer.isGone)
    #expect(future.isPending)
    future.cancel()
    #expect(completer.isGone)
  }

  @Test func `of several references the last one counts`() {
    let holder = EventLog<Completer>()
    let future = { () -> ValueFuture<Int> in
      let completer = ValueFuture<Int>.makeCompleter()
      holder.add(completer)
      return completer.future
    }()
    #expect(future.isPending)
    holder.removeAll()
    #expect(future.cancellationReason is AbandonedError)
  }
}
