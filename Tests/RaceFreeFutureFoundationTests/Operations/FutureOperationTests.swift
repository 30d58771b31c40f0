// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import RaceFreeFuture
import RaceFreeFutureFoundation
import RaceFreeFutureTesting
import TestSupport
import Testing

@Suite struct FutureOperationTests {
  /// Sets results one after the other, on a thread of its own, and ends.
  private final class Countdown: FutureOperation<Int>, @unchecked Sendable {
    let numbers: [Int]

    init(_ numbers: [Int]) {
      self.numbers = numbers
      super.init()
    }

    override func main() {
      startThread { [self] in
        for number in numbers { setResult(number) }
        finish()
        setResult(-1)
        finish()
      }
    }
  }

  private let queue = OperationQueue()

  // MARK: Subclasses

  @Test func `the last result before the end counts`() async throws {
    let operation = Countdown([3, 2, 1])
    queue.addOperation(operation)
    #expect(try await operation.valueFuture.value == 1)
    #expect(await onThread { try? operation.result() } == 1)
    await queue.drained()
    #expect(operation.isFinished && operation.isCompleted && operation.cancelToken == operation.valueFuture.cancelToken)
  }

  @Test func `ended without a result it fails`() async throws {
    let operation = Countdown([])
    queue.addOperation(operation)
    await #expect(throws: FutureOperationError.resultNotSet) { try await operation.valueFuture.value }
    let seen = await onThread { Result { try operation.result() } }
    #expect(throws: FutureOperationError.resultNotSet) { try seen.get() }
    #expect(FutureOperationError.resultNotSet.description.contains("setResult"))
    let empty = FutureOperation<Void>()
    empty.start()
    #expect(empty.isFinished)
    await #expect(throws: FutureOperationError.resultNotSet) { try await empty.valueFuture.value }
  }

  @Test func `an error can be a result, and be replaced`() async throws {
    let (failing, mended) = (FutureOperation<Int>(label: "failing"), FutureOperation<Int>())
    failing.setResult(1)
    for operation in [failing, mended] { operation.setResult(throwing: Reason("broken")) }
    mended.setResult(2)
    for operation in [failing, mended] { operation.finish() }
    await #expect(throws: Reason("broken")) { try await failing.valueFuture.value }
    #expect(try await mended.valueFuture.value == 2)
    #expect(failing.origin.label == "failing" && mended.origin.label == "FutureOperation<Int>")
    #expect(!failing.isFinished)
    failing.start()
    #expect(failing.isFinished)
  }

  @Test func `cancelled, it has a reason instead of a result`() async {
    let operation = FutureOperation<Int>()
    operation.setResult(1)
    operation.cancel(throwing: Reason("enough"))
    operation.setResult(2)
    operation.finish()
    let seen = await onThread { Result { try operation.result() } }
    #expect(throws: Reason("enough")) { try seen.get() }
    #expect(operation.valueFuture.result == nil && operation.isCancelled)
  }

  // MARK: Closures

  @Test func `a closure makes the result, or an error, or cancels`() async throws {
    let value = FutureOperation { token in token.isPending ? "ran" : "" }
    let failure = FutureOperation<Int> { _ in throw Reason("broken") }
    let cancelled = FutureOperation<Int> { _ in throw CancellationError() }
    for operation in [value, failure, cancelled] as [Operation] { queue.addOperation(operation) }
    #expect(try await value.valueFuture.value == "ran")
    await #expect(throws: Reason("broken")) { try await failure.valueFuture.value }
    await #expect(throws: CancellationError.self) { try await cancelled.valueFuture.value }
    await queue.drained()
    #expect(!value.isCancelled && !failure.isCancelled && cancelled.isCancelled)
  }

  @Test func `a closure that runs when it is cancelled keeps its place in the queue until it returns`() async throws {
    queue.maxConcurrentOperationCount = 1
    let (inside, gate) = (Gate("inside"), Gate("closure"))
    let log = EventLog<String>()
    let operation = FutureOperation { token in
      inside.open()
      gate.wait()
      log.add("returns, cancelled: \(token.isCancelled)")
      return 1
    }
    let next = FutureOperation { _ in log.add("next") }
    for operation in [operation, next] as [Operation] { queue.addOperation(operation) }
    await inside.passed()
    operation.cancel()
    // Whoever waits for the value goes on at once.
    await #expect(throws: CancellationError.self) { try await operation.valueFuture.value }
    #expect(operation.isCancelled && operation.isExecuting && !operation.isFinished)
    gate.open()
    try await next.valueFuture.value
    #expect(operation.isFinished)
    #expect(log.events == ["returns, cancelled: true", "next"])
  }

  @Test func `a task brings the value, and is cancelled with the operation`() async throws {
    let operation = FutureOperation.task(label: "task") { try await ValueFuture.completed(with: 4).value }
    queue.addOperation(operation)
    #expect(try await operation.valueFuture.value == 4)
    let (waits, ended) = (ValueFuture<Int>(), Gate("task has ended"))
    let started = Gate("task has started")
    let stopped = FutureOperation.task {
      defer { ended.open() }
      started.open()
      return try await waits.value
    }
    queue.addOperation(stopped)
    await started.passed()
    queue.cancelAllOperations()
    await #expect(throws: CancellationError.self) { try await stopped.valueFuture.value }
    await ended.passed()
    await queue.drained()
    #expect(waits.isPending && stopped.isFinished)
    let failing = FutureOperation<Int>.task { throw Reason("broken") }
    failing.start()
    await #expect(throws: Reason("broken")) { try await failing.valueFuture.value }
  }

  @Test func `a closure is released at the end, whatever the end`() async {
    let live = LiveCount()
    let operations = (0..<3).map { _ in FutureOperation { [kept = live.make()] _ in kept.touch() } }
    operations[0].cancel()
    operations[1].start()
    operations[2].finish()
    #expect(live.value == 0)
    do {
      let slot = FutureOperation<LiveCount.Instance>()
      slot.setResult(live.make())
      slot.setResult(live.make())
      #expect(live.value == 1)
      slot.cancel()
      slot.setResult(live.make())
      #expect(live.value == 0)
    }
  }

  // MARK: Waiting

  @Test func `waiting with a time limit gives up and leaves the operation alone`() async {
    let operation = FutureOperation<Int>(label: "slow")
    let seen = await onThread { Result { try operation.result(timeout: .milliseconds(1)) } }
    #expect(throws: TimeoutError(interval: .milliseconds(1), label: "slow")) { try seen.get() }
    #expect(operation.isPending && !operation.isCancelled)
    operation.setResult(5)
    operation.finish()
    #expect(await onThread { try? operation.result(timeout: .seconds(0)) } == 5)
  }

  @Test func `a thread that waits for an operation which is dropped is told so`() async {
    let waiting = Gate("waiting")
    let future = {
      let operation = FutureOperation<Int>(label: "dropped")
      return operation.valueFuture
    }()
    waiting.open()
    let seen = await onThread { Result { try future.wait() } }
    #expect(throws: AbandonedError.self) { try seen.get() }
  }

  // MARK: Result handlers

  @Test func `result handlers run on the main queue, with whatever is the result`() async {
    let log = EventLog<String>()
    let operation = Countdown([7])
    operation.onResult { result in
      dispatchPrecondition(condition: .onQueue(.main))
      log.add("main \((try? result.get()) ?? 0)")
    }
    operation.onResult(on: MainActor.shared) { result in log.add("isolated \((try? result.get()) ?? 0)") }
    operation.onResult(on: .inline) { _ in log.add("inline") }
    let removed = operation.onResult { _ in log.add("wrong") }
    #expect(removed.unregister())
    queue.addOperation(operation)
    #expect(await operation.handlersFinished == .completed)
    #expect(log.events.sorted() == ["inline", "isolated 7", "main 7"])
  }

  @Test(arguments: ["before the start", "in main", "before finish"])
  func `a cancelled operation never calls a result handler`(_ moment: String) async {
    final class Work: FutureOperation<Int>, @unchecked Sendable {
      let moment: String
      init(_ moment: String) {
        self.moment = moment
        super.init()
      }
      override func main() {
        setResult(1)
        if moment == "in main" { cancel() }
      }
    }
    let log = EventLog<String>()
    let operation = Work(moment)
    operation.onResult { _ in log.add("main") }
    operation.onResult(on: .inline) { _ in log.add("inline") }
    if moment == "before the start" { operation.cancel() }
    operation.start()
    if moment == "before finish" { operation.cancel() }
    operation.finish()
    operation.onResult(on: .inline) { _ in log.add("late") }
    #expect(await operation.handlersFinished == .cancelled)
    #expect(operation.isFinished && operation.isCancelled)
    #expect(log.events == [])
  }

  @MainActor @Test func `cancelled on the main thread after its end it doesn't call the handler that is on its way`()
    async
  {
    let log = EventLog<String>()
    let operation = FutureOperation<Int>()
    operation.onResult { _ in log.add("cancelled") }
    let other = FutureOperation<Int>()
    other.onResult { result in log.add("other \((try? result.get()) ?? 0)") }
    for operation in [operation, other] {
      operation.setResult(1)
      operation.finish()
    }
    // Both handlers are on the main queue now, behind this code.
    operation.cancel()
    #expect(operation.isCompleted && !operation.isCancelled)
    #expect(await operation.handlersFinished == .completed)
    #expect(await other.handlersFinished == .completed)
    #expect(log.events == ["other 1"])
  }

  @Test func `a handler keeps neither the operation nor is it kept by it`() async {
    let live = LiveCount()
    let gate = Gate("operation is gone")
    do {
      let operation = FutureOperation<Int> { [sign = OnDeinit { gate.open() }] _ in
        sign.touch()
        return 1
      }
      operation.onResult { [kept = live.make()] _ in kept.touch() }
    }
    await gate.passed()
    #expect(live.value == 0)
  }
}
