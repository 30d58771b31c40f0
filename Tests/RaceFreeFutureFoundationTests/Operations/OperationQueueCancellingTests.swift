// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFuture
import RaceFreeFutureFoundation
import RaceFreeFutureTesting
import TestSupport
import Testing

@Suite struct OperationQueueCancellingTests {
  private let queue = OperationQueue(maxConcurrentOperationCount: 4)
  private let ran = EventLog<String>()

  /// Notes that it runs.
  private func step(_ name: String, _ begun: Gate? = nil) -> TestOperation {
    TestOperation(label: name) { [ran] operation in
      ran.add(name)
      begun?.open()
      operation.finish()
    }
  }

  @Test(arguments: [false, true])
  func `what waits for an operation doesn't begin because that was cancelled`(isAddedBefore: Bool) async throws {
    let first = TestOperation(label: "first") { _ in }
    // Cancelled one after the other, in this order or the reverse, the first one frees the last one before its turn.
    let (between, begun) = (step("between"), Gate("the last one has begun"))
    let last = step("last", begun)
    let never = Operation()
    between.addDependency(never)
    // Otherwise the two would keep each other.
    defer { between.removeDependency(never) }
    between.onCancel(on: .inline) { if !last.isCancelled { begun.wait() } }
    last.addDependency(first)
    for operation in isAddedBefore ? [last, between, first] : [first, between, last] { queue.add(operation) }
    try await first.mains.wait(for: 1)
    await onThread { queue.cancelAll(throwing: Reason("enough")) }
    await queue.drained()
    #expect(ran.events == [])
    for operation in [first, between, last] { #expect(reason(operation.cancellationReason) == Reason("enough")) }
  }

  @Test func `operations of other classes don't begin either`() async throws {
    let first = TestOperation(label: "first") { _ in }
    let (between, begun) = (step("between"), Gate("the next one has begun"))
    let never = Operation()
    between.addDependency(never)
    // Otherwise the two would keep each other.
    defer { between.removeDependency(never) }
    let foreign = (0..<3).map { number in
      ForeignOperation { [ran] in
        ran.add("foreign \(number)")
        begun.open()
      }
    }
    between.onCancel(on: .inline) { if !foreign[0].isCancelled { begun.wait() } }
    for (operation, next) in zip(foreign, foreign.dropFirst()) {
      // Weak, because the next one keeps those that it waits for.
      operation.onCancel { [weak next] in if next?.isCancelled == false { begun.wait() } }
    }
    let last = step("last", begun)
    foreign[2].onCancel { [weak last] in if last?.isCancelled == false { begun.wait() } }
    queue.add(first)
    queue.add(between)
    var previous: Operation = first
    for operation in foreign {
      operation.addDependency(previous)
      queue.addOperation(operation)
      previous = operation
    }
    queue.add(last, after: previous)
    try await first.mains.wait(for: 1)
    await onThread { queue.cancelAll() }
    await queue.drained()
    #expect(ran.events == [])
  }

  @Test(arguments: 0..<4)
  func `a step that cancels the queue is the last one that runs`(stopping: Int) async {
    for _ in 0..<iterations(50) {
      queue.isSuspended = true
      let ran = EventLog<Int>()
      let steps = (0..<5).map { number in
        TestOperation(label: "\(number)") { [queue] operation in
          ran.add(number)
          if number == stopping { queue.cancelAll() }
          operation.finish()
        }
      }
      for (step, previous) in zip(steps.dropFirst(), steps) { step.addDependency(previous) }
      for step in steps { queue.add(step) }
      queue.isSuspended = false
      await queue.drained()
      #expect(ran.events == Array(0...stopping))
    }
  }

  @Test func `a result that is on its way to its handler isn't delivered`() async throws {
    let target = MarkedQueue()
    let search = FutureOperation(label: "search") { [ran] _ in ran.add("searched") }
    search.onResult(on: target.queue) { [ran] _ in ran.add("shown") }
    let gate = Gate("the handler may run")
    target.queue.async { gate.wait() }
    search.onResult(on: .inline) { [queue] _ in queue.cancelAll() }
    queue.add(search)
    await queue.drained()
    gate.open()
    await target.drained()
    #expect(ran.events == ["searched"] && search.isCompleted)
  }

  @Test func `an empty queue, and operations that have ended, are left alone`() async throws {
    queue.cancelAll()
    let done = queue.add { 1 }
    #expect(try await done.value == 1)
    queue.cancelAll()
    #expect(done.isCompleted)
    #expect(try await queue.add { 2 }.value == 2)
  }
}

/// An operation of no class of this module, that says when it has been cancelled.
private final class ForeignOperation: Operation, @unchecked Sendable {
  // Set before it is added to a queue.
  private var handler: () -> Void = {}
  private let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }

  func onCancel(_ handler: @escaping () -> Void) { self.handler = handler }

  override func main() { body() }

  override func cancel() {
    super.cancel()
    handler()
  }
}
