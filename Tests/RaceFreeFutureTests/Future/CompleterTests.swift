// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

@Suite struct CompleterTests {
  @Test func `it completes`() {
    let first = Future.makeCompleter(label: "first")
    #expect(first.origin.label == "first")
    first.complete()
    #expect(first.isCompleted)
    let second = Future.makeCompleter()
    #expect(second.tryComplete())
    #expect(!second.tryComplete())
    #expect(!second.tryCancel())
    #expect(second.isCompleted)
  }

  @Test func `it cancels`() {
    let first = Future.makeCompleter()
    first.cancel()
    #expect(first.cancellationReason is CancellationError)
    let second = Future.makeCompleter()
    #expect(second.tryCancel(throwing: Reason("why")))
    #expect(!second.tryCancel())
    #expect(reason(second.cancellationReason) == Reason("why"))
    let third = Future.makeCompleter()
    third.cancel(throwing: Reason("why"))
    #expect(reason(third.cancellationReason) == Reason("why"))
  }

  @Test func `it learns of a cancellation`() async {
    let completer = Future.makeCompleter()
    let log = EventLog<String>()
    completer.onCancel(on: .inline) { log.add("inline") }
    completer.onCancel { log.add("private queue") }
    #expect(completer.onCancel { log.add("removed") }.unregister())
    completer.cancel()
    #expect(await completer.handlersFinished == .cancelled)
    #expect(log.events == ["inline", "private queue"])
  }

  // MARK: Abandonment

  @Test func `dropped while pending it cancels with an error that says what and where`() {
    func drop() -> (Future, UInt) {
      let completer = Future.makeCompleter(label: "measure")
      return (completer.future, #line - 1)
    }
    let (future, line) = drop()
    let error = future.cancellationReason as? AbandonedError
    #expect(error?.origin.label == "measure")
    #expect(error?.origin.place == "\(#fileID):\(line)")
    #expect(
      error?.description
        == "abandoned: \"measure\", made at \(#fileID):\(line), was dropped while it was pending"
    )
  }

  @Test func `without a label the error still says where`() {
    let line: UInt = #line + 1
    let error = Future.makeCompleter().future.cancellationReason as? AbandonedError
    #expect(error?.origin.label == nil)
    #expect(error?.origin.place == "\(#fileID):\(line)")
    #expect(
      error?.description
        == "abandoned: the future made at \(#fileID):\(line), was dropped while it was pending"
    )
  }

  @Test func `abandoned work wakes everybody who waits for it`() async {
    final class Worker: Sendable {
      let completer: EventLog<Completer<Future>> = EventLog()
    }
    let worker = Worker()
    worker.completer.add(Future.makeCompleter(label: "work"))
    guard let future = worker.completer.events.first?.future else { return }
    let (ran, waiting) = (Gate("handler ran"), Gate("waiting"))
    future.onCancel { ran.open() }
    let task = Task { try await future.value }
    let outcome = Task { await future.outcome }
    let thread = Task {
      await onThread {
        waiting.open()
        return future.wait()
      }
    }
    await waiting.passed()
    worker.completer.removeAll()
    await #expect(throws: AbandonedError.self) { try await task.value }
    #expect(await outcome.value == .cancelled)
    #expect(await thread.value == .cancelled)
    await ran.passed()
  }

  @Test func `what has an outcome isn't abandoned`() {
    func drop(_ end: (Completer<Future>) -> Void) -> Future {
      let completer = Future.makeCompleter()
      end(completer)
      return completer.future
    }
    #expect(drop { $0.complete() }.isCompleted)
    #expect(drop { $0.future.complete() }.isCompleted)
    #expect(drop { $0.cancel() }.cancellationReason is CancellationError)
  }

  @Test func `a completion that is queued isn't overtaken by abandonment`() async {
    let gate = Gate("line")
    func drop() -> Future {
      let completer = Future.makeCompleter()
      completer.standStill(until: gate)
      completer.complete()
      return completer.future
    }
    let future = drop()
    gate.open()
    #expect(await future.outcome == .completed)
  }

  @Test func `the future doesn't keep its completer`() {
    func make() -> (Future, Weak<Completer<Future>>) {
      let completer = Future.makeCompleter()
      completer.onCancel {}
      return (completer.future, Weak(completer))
    }
    let (future, completer) = make()
    #expect(completer.isGone)
    #expect(future.isCancelled)
  }

  @Test func `of several references the last one counts`() {
    let completer = Future.makeCompleter()
    let future = completer.future
    func use(_ copy: Completer<Future>) -> Bool { copy.isPending }
    #expect(use(completer))
    #expect(future.isPending)
    completer.complete()
    #expect(future.isCompleted)
  }
}
