// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

// One at a time: its work blocks threads of the shared pool, of which there are few.
@Suite(.serialized) struct ValueFutureStartingTests {
  // MARK: Background

  @Test func `a task that has ended isn't open any more`() async {
    let future = ValueFuture.task { 1 }
    let isOver = Gate("the task is over")
    Task {
      await future.drain()
      isOver.open()
    }
    await isOver.passed()
    #expect(future.result?.value == 1)
  }

  @Test func `a task that is cancelled before it has started doesn't begin`() throws {
    try withManualControl { control in
      let future = ValueFuture<Int>.task(label: "late") {
        Issue.record("the work was called")
        return 1
      }
      #expect(control.pending.count == 1)
      future.cancel()
      control.runAll()
      #expect(future.isCancelled && control.pending.isEmpty)
    }
  }

  @Test func `a background future computes its value at once, on a global queue`() async throws {
    let started = Gate("started")
    let future = ValueFuture.background(qos: .utility, label: "sum") { _ in
      started.open()
      return (1...10).reduce(0, +)
    }
    await started.passed()
    #expect(try await future.value == 55)
    #expect(future.description == "ValueFuture<Int>(\"sum\", completed)")
  }

  @Test func `a background future that throws fails, and one that throws CancellationError is cancelled`() async {
    let failed = ValueFuture<Int>.background { _ in throw Reason("broken") }
    await #expect(throws: Reason("broken")) { try await failed.value }
    #expect(failed.isCompleted)
    let cancelled = ValueFuture<Int>.background { _ in throw CancellationError() }
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    #expect(cancelled.isCancelled)
  }

  @Test func `the work of a background future can ask its token and register a handler`() async {
    let (hooked, stopped) = (Gate("hooked"), Gate("stopped"))
    let future = ValueFuture<Int>.background { token in
      token.onCancel(on: .inline) { stopped.open() }
      hooked.open()
      await_(stopped)
      try token.checkCancellation()
      return 1
    }
    await hooked.passed()
    future.cancel(throwing: Reason("enough"))
    await #expect(throws: Reason("enough")) { try await future.value }
    await stopped.passed()
  }

  @Test(arguments: ["background", "lazy", "task"])
  func `until its work has returned a cancelled future isn't over`(kind: String) async throws {
    let (started, mayEnd) = (Gate("started"), Gate("may end"))
    let future =
      switch kind {
      case "background":
        ValueFuture<Int>.background { _ in
          started.open()
          await_(mayEnd)
          return 1
        }
      case "lazy":
        ValueFuture<Int>.lazy { _ in
          started.open()
          await_(mayEnd)
          return 1
        }
      default:
        ValueFuture<Int>.task {
          started.open()
          await mayEnd.passed()
          return 1
        }
      }
    if kind == "lazy" { startThread { _ = try? future.wait() } }
    await started.passed()
    future.cancel()
    await #expect(throws: DrainError.self) { try await future.drain(within: .zero) }
    mayEnd.open()
    await future.drain()
  }

  @Test func `a future whose work isn't started because it is cancelled is over at once`() async throws {
    let scope = Scope()
    scope.cancel()
    let task = scope.addTask { Issue.record("it was started") }
    try await task.drain(within: .zero)
    try await scope.drain(within: .zero)
    let lazy = ValueFuture<Void>.lazy { _ in Issue.record("it was started") }
    lazy.cancel()
    _ = try? await lazy.value
    try await lazy.drain(within: .zero)
  }

  @Test func `cancelled while all threads are busy, background work is never started`() async {
    // As many blocks as the pool has threads keep it busy; they are released by the cancellation alone.
    let ran = EventLog<Int>()
    let blocker = Gate("blocked")
    let blockers = DispatchGroup()
    for _ in 0..<64 {
      DispatchQueue.global(qos: .background).async(group: blockers, execute: DispatchWorkItem { blocker.wait() })
    }
    let futures = (0..<10).map { index in
      ValueFuture.background(qos: .background) { _ in ran.add(index) }
    }
    let live = LiveCount()
    let kept = ValueFuture.background(qos: .background) { [kept = live.make()] _ in kept.touch() }
    for future in futures + [kept] { future.cancel() }
    let releasedAtOnce = live.value == 0
    blocker.open()
    await withCheckedContinuation { continuation in blockers.notify(queue: .global()) { continuation.resume() } }
    await poolHasStarted(.background)
    #expect(futures.allSatisfy { $0.isCancelled })
    // Fewer threads than blockers: none of the work could have started before.
    #expect(ran.events.isEmpty)
    #expect(releasedAtOnce)
  }

  @Test func `a background value that comes too late goes to onUndelivered`() async {
    let (running, cancelled) = (Gate("running"), Gate("cancelled"))
    let (handedOver, log) = (Gate("handed over"), EventLog<Int>())
    let future = ValueFuture.background(
      onUndelivered: { value in
        log.add(value)
        handedOver.open()
      },
      { _ in
        running.open()
        await_(cancelled)
        return 7
      }
    )
    await running.passed()
    future.cancel()
    cancelled.open()
    await handedOver.passed()
    #expect(log.events == [7])
  }

  @Test func `background work is kept by itself`() async {
    let (go, done) = (Gate("go"), Gate("done"))
    do {
      ValueFuture<Void>.background { _ in await_(go) }.onResult { _ in done.open() }
    }
    go.open()
    await done.passed()
  }

  // MARK: Lazy

  @Test func `a lazy future starts when it is first asked, not before`() async throws {
    let ran = EventLog<Int>()
    let future = ValueFuture.lazy(label: "lazy") { _ in
      ran.add(1)
      return "done"
    }
    #expect(future.result == nil)
    future.onCancel {}
    future.onCleanUp {}
    #expect(future.description == "ValueFuture<String>(\"lazy\", pending, 2 handlers)")
    await poolHasStarted()
    #expect(ran.events.isEmpty)
    #expect(try await future.value == "done")
    #expect(try await future.value == "done")
    #expect(ran.events == [1])
  }

  /// Ways to ask.
  enum Ask: CaseIterable, Sendable {
    case value, within, wait, timeout, onResult, onValue, onFailure
    case map, flatMap, recover, all, race, zip, timed, shared

    func of(_ future: ValueFuture<Int>) async {
      switch self {
      case .value: _ = try? await future.value
      case .within: _ = try? await future.value(within: .seconds(3_600))
      case .wait: _ = await onThread { try? future.wait() }
      case .timeout: _ = await onThread { try? future.wait(timeout: .seconds(3_600)) }
      case .onResult: future.onResult { _ in }
      case .onValue: future.onValue { _ in }
      case .onFailure: future.onFailure { _ in }
      case .map: _ = future.map { $0 }
      case .flatMap: _ = ValueFuture.completed(with: 1).flatMap { _ in future }
      case .recover: _ = future.recover { _ in 1 }
      case .all: _ = ValueFuture.all([future])
      case .race: _ = ValueFuture.race([future])
      case .zip: _ = ValueFuture.zip(future, future)
      case .timed: _ = future.timeout(after: .seconds(3_600))
      case .shared: _ = await SharedFuture(future).join()?.outcome
      }
    }
  }

  @Test(arguments: Ask.allCases)
  func `code that needs the value starts a lazy future`(ask: Ask) async {
    let ran = Gate("ran")
    let future = ValueFuture.lazy { _ in
      ran.open()
      return 1
    }
    let asking = Task { await ask.of(future) }
    await ran.passed()
    await asking.value
    // Kept until here: a lazy future whose last reference goes before it has started, never starts.
    _ = await future.outcome
  }

  @Test func `a lazy future runs once however many ask at the same time`() async {
    for _ in 0..<iterations(50) {
      let runs = EventLog<Int>()
      let future = ValueFuture.lazy { _ in
        runs.add(1)
        return 5
      }
      let answers = EventLog<Int>()
      await onThreads(
        (0..<4).map { index in
          {
            if index == 3 { future.onValue(on: .inline) { answers.add($0) } }
            if let value = try? future.wait() { answers.add(value) }
          }
        }
      )
      _ = await future.handlersFinished
      #expect(runs.events == [1])
      #expect(answers.events == [5, 5, 5, 5, 5])
    }
  }

  @Test func `wait does the work on the asking thread`() async throws {
    let marked = MarkedQueue("asker")
    let log = EventLog<Bool>()
    let future = ValueFuture.lazy { _ in log.add(marked.isCurrent) }
    await withCheckedContinuation { continuation in
      marked.queue.async {
        try? future.wait()
        continuation.resume()
      }
    }
    #expect(log.events == [true])
  }

  @Test func `a lazy future that is cancelled before anybody asks never runs, and releases its work at once`() async {
    let live = LiveCount()
    let future = ValueFuture<Int>.lazy { [kept = live.make()] _ in
      kept.touch()
      Issue.record("it ran")
      return 1
    }
    #expect(live.value == 1)
    future.cancel(throwing: Reason("not needed"))
    #expect(live.value == 0)
    await #expect(throws: Reason("not needed")) { try await future.value }
    #expect(reason(await onThread { thrown { _ = try future.wait() } }) == Reason("not needed"))
  }

  @Test func `work that was asked for isn't started when the cancellation is decided, though nothing is delivered yet`()
    async
  {
    let future = ValueFuture<Int>.lazy { _ in
      Issue.record("it ran")
      return 1
    }
    let (decided, asked) = (Gate("decided"), Gate("asked"))
    future.perform {
      future.cancel()
      decided.open()
      asked.wait()
    }
    await decided.passed()
    future.onValue { _ in }
    await poolHasStarted()
    asked.open()
    #expect(await future.handlersFinished == .cancelled)
  }

  @Test func `a lazy future that is dropped before anybody asks never runs, and releases its work`() {
    let live = LiveCount()
    do {
      let future = ValueFuture<Int>.lazy { [kept = live.make()] _ in
        kept.touch()
        Issue.record("it ran")
        return 1
      }
      #expect(future.isPending)
      #expect(live.value == 1)
    }
    #expect(live.value == 0)
  }

  @Test func `a waiter for a lazy future wakes at once when it is cancelled, though the work goes on`() async {
    let (running, released) = (Gate("running"), Gate("released"))
    let future = ValueFuture.lazy { _ in
      running.open()
      await_(released)
      return 1
    }
    let runner = Task { await onThread { thrown { _ = try future.wait() } } }
    await running.passed()
    let waiting = Gate("waiting")
    let waiter = Task {
      await onThread {
        waiting.open()
        return thrown { _ = try future.wait() }
      }
    }
    let task = Task { try await future.value }
    await waiting.passed()
    future.cancel(throwing: Reason("stop"))
    #expect(reason(await waiter.value) == Reason("stop"))
    await #expect(throws: Reason("stop")) { try await task.value }
    released.open()
    #expect(reason(await runner.value) == Reason("stop"))
  }

  @Test func `at the outcome the work of a lazy future is released, whatever the outcome is`() async throws {
    let live = LiveCount()
    let ended = ValueFuture.lazy { [kept = live.make()] _ in kept.touch() }
    try await ended.value
    let overruled = ValueFuture.lazy { [kept = live.make()] _ in kept.touch() }
    overruled.complete()
    #expect(live.value == 0)
    withExtendedLifetime((ended, overruled)) {}
  }

  @Test func `a value that was set before is not computed`() async throws {
    let future = ValueFuture<Int>.lazy { _ in
      Issue.record("it ran")
      return 1
    }
    future.complete(with: 2)
    #expect(try await future.value == 2)
    #expect(await onThread { try? future.wait() } == 2)
  }

  // MARK: Task

  @Test func `a task brings its value, its error, or its cancellation`() async throws {
    let value = ValueFuture.task(priority: .high) { 3 }
    #expect(try await value.value == 3)
    let failed = ValueFuture<Int>.task { throw Reason("broken") }
    await #expect(throws: Reason("broken")) { try await failed.value }
    #expect(failed.isCompleted)
    let cancelled = ValueFuture<Int>.task { throw CancellationError() }
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    #expect(cancelled.isCancelled)
  }

  @Test func `cancelling the future cancels its task and doesn't wait for it`() async {
    let (running, stopped, log) = (Gate("running"), Gate("stopped"), EventLog<Int>())
    let future = ValueFuture.task(label: "task", onUndelivered: { log.add($0) }) {
      running.open()
      await withTaskCancellationHandler {
        await stopped.passed()
      } onCancel: {
        stopped.open()
      }
      return Task.isCancelled ? 1 : 0
    }
    await running.passed()
    let waiter = Task { try await future.value }
    future.cancel(throwing: Reason("stop"))
    await #expect(throws: Reason("stop")) { try await waiter.value }
    await stopped.passed()
  }

  // MARK: Completed

  @Test func `a completed future has its value or error from the start`() async throws {
    #expect(try await ValueFuture.completed(with: 4).value == 4)
    #expect(ValueFuture<Int?>.completed(with: nil).isCompleted)
    let failed = ValueFuture<Int>.completed(throwing: Reason("no"))
    #expect(failed.isCompleted)
    await #expect(throws: Reason("no")) { try await failed.value }
  }
}

/// Waits on a thread of the shared pool: only for background work that is meant to be running, and few of it.
private func await_(_ gate: Gate) { gate.wait() }

/// What a block throws.
private func thrown(_ body: () throws -> Void) -> (any Error)? {
  do {
    try body()
    return nil
  } catch {
    return error
  }
}

/// Suspends until what is on the global queue now has been taken off: it comes in order, and this stands behind it.
private func poolHasStarted(_ qos: DispatchQoS.QoSClass = .default) async {
  for _ in 0..<8 {
    await withCheckedContinuation { continuation in
      DispatchQueue.global(qos: qos).async { continuation.resume() }
    }
  }
}
