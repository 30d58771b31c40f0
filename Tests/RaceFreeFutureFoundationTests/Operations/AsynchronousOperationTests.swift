// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

@testable import RaceFreeFutureFoundation

@Suite struct AsynchronousOperationTests {
  // MARK: Ended in time

  @Test(arguments: [1, 2, 8])
  func `operations that end later, elsewhere, go through a queue of any width, never more at once`(_ width: Int) async {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = width
    let elsewhere = DispatchQueue(label: "elsewhere", attributes: .concurrent)
    let running = Crowd()
    let operations = (0..<100).map { _ in
      TestOperation { operation in
        running.enter()
        elsewhere.async {
          running.leave()
          operation.finish()
        }
      }
    }
    for operation in operations { queue.addOperation(operation) }
    await queue.drained()
    #expect(running.most <= width && running.most > 0)
    for operation in operations {
      #expect(operation.mains.events == [1])
      #expect(operation.notes.events == TestOperation.ranAndFinished)
      #expect(operation.contradictions.events == [])
      #expect(operation.isCompleted && operation.isFinished && !operation.isCancelled && operation.isReady)
    }
  }

  @Test func `started by hand it executes until it is finished, and finishing again does nothing`() {
    let operation = TestOperation { _ in }
    #expect(!operation.isExecuting && !operation.isFinished && operation.isReady && operation.isAsynchronous)
    operation.start()
    #expect(operation.isExecuting && !operation.isFinished && operation.isPending)
    for _ in 0..<3 { operation.finish() }
    #expect(!operation.isExecuting && operation.isFinished && operation.isCompleted)
    for _ in 0..<2 { operation.start() }
    operation.cancel()
    #expect(operation.notes.events == TestOperation.ranAndFinished)
    #expect(operation.mains.events == [1])
    #expect(!operation.isCancelled && operation.isCompleted)
  }

  @Test func `finished inside main it is finished when main has returned`() {
    let inside = EventLog<Bool>()
    let operation = TestOperation { operation in
      operation.finish()
      inside.add(operation.isCompleted)
      inside.add(operation.isExecuting)
      inside.add(operation.isFinished)
    }
    operation.start()
    #expect(inside.events == [true, true, false])
    #expect(operation.notes.events == TestOperation.ranAndFinished)
  }

  @Test func `finished before its start it never runs, and is finished when it is started`() async {
    let operation = TestOperation()
    operation.finish()
    #expect(operation.isCompleted && !operation.isFinished)
    let queue = OperationQueue()
    queue.addOperation(operation)
    await queue.drained()
    #expect(operation.isFinished && operation.mains.events == [])
    #expect(operation.notes.events == TestOperation.onlyFinished)
  }

  @Test func `started again while it runs it goes on as before`() {
    let operation = TestOperation { $0.start() }
    operation.start()
    operation.start()
    #expect(operation.isExecuting && operation.mains.events == [1])
    operation.finish()
    #expect(operation.notes.events == TestOperation.ranAndFinished)
  }

  @Test func `one that isn't overridden just ends`() async {
    let operation = AsynchronousOperation()
    let queue = OperationQueue()
    queue.addOperation(operation)
    await queue.drained()
    #expect(operation.isFinished && operation.isCompleted)
    #expect(operation.origin.label == "AsynchronousOperation")
    #expect(AsynchronousOperation(label: "fetch").origin.label == "fetch")
    #expect(Nameless().origin.label == "Nameless")
  }

  private final class Nameless: AsynchronousOperation, @unchecked Sendable {}

  // MARK: Cancelled

  @Test func `cancelled before its start it tells its handlers at once, never runs, and lets the queue go on`() async {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    queue.isSuspended = true
    let log = EventLog<String>()
    let operations = (0..<4).map { _ in TestOperation() }
    for operation in operations {
      operation.onCancel(on: .inline) { log.add("cancelled") }
      queue.addOperation(operation)
    }
    for operation in operations[1...2] { operation.cancel() }
    #expect(log.events == ["cancelled", "cancelled"])
    for operation in operations { #expect(!operation.isFinished) }
    #expect(operations[1].isCancelled && operations[1].notes.events == TestOperation.cancelled)
    queue.isSuspended = false
    await queue.drained()
    for (index, operation) in operations.enumerated() {
      let isCancelled = index == 1 || index == 2
      #expect(operation.mains.events == (isCancelled ? [] : [1]))
      #expect(operation.isCancelled == isCancelled && operation.isFinished)
      let expected = isCancelled ? TestOperation.cancelled + TestOperation.onlyFinished : TestOperation.ranAndFinished
      #expect(operation.notes.events == expected)
    }
  }

  @Test func `cancelled while it runs it stops its work, then is finished, once`() {
    let log = EventLog<String>()
    let operation = TestOperation { operation in
      operation.attach {
        7
      } stop: {
        log.add("stop \($0), finished: \(operation.isFinished)")
      }
    }
    operation.start()
    for _ in 0..<3 { operation.cancel() }
    #expect(log.events == ["stop 7, finished: false"])
    #expect(operation.isCancelled && operation.isFinished && operation.isCancelled)
    operation.finish()
    #expect(operation.notes.events == ranAndCancelled)
  }

  /// Cancelled while it executed.
  private let ranAndCancelled =
    Array(TestOperation.ranAndFinished[..<2]) + TestOperation.cancelled + Array(TestOperation.ranAndFinished[2...])

  @Test func `cancelled inside main it is finished when main has returned`() {
    let operation = TestOperation { operation in
      operation.cancel()
      operation.notes.add("main goes on, finished: \(operation.isFinished)")
    }
    operation.start()
    #expect(operation.isFinished && operation.isCancelled)
    #expect(operation.notes.events.contains("main goes on, finished: false"))
  }

  @Test func `cancelled inside main it is in its scope until main has returned`() async {
    let scope = Scope()
    let (entered, gate) = (Gate("main runs"), Gate("main may return"))
    let log = EventLog<String>()
    let operation = FutureOperation<Void> { _ in
      entered.open()
      gate.wait()
      log.add("main")
    }
    scope.add(operation)
    startThread { operation.start() }
    await entered.passed()
    scope.cancel()
    #expect(operation.isCancelled && scope.count == 1)
    let waiter = Task {
      await scope.drain()
      log.add("drained, \(operation.isFinished)")
    }
    gate.open()
    await waiter.value
    #expect(log.events == ["main", "drained, true"])
  }

  @Test func `cancelled, an operation's task is in the scope until it has returned`() async {
    let scope = Scope()
    let (entered, gate) = (Gate("the task runs"), Gate("the task may return"))
    let log = EventLog<String>()
    let operation = FutureOperation<Void>.task {
      entered.open()
      await gate.passed()
      log.add("task")
    }
    scope.add(operation)
    operation.start()
    await entered.passed()
    scope.cancel()
    let waiter = Task {
      await scope.drain()
      log.add("drained")
    }
    gate.open()
    await waiter.value
    #expect(log.events == ["task", "drained"])
  }

  @Test func `finishing and cancelling an operation while it is told that it executes leaves main out`() {
    for isCancelled in [true, false] {
      let first = ActsAtStart { isCancelled ? $0.cancel() : $0.finish() }
      first.start()
      #expect(first.mains.events == [])
      #expect(first.isFinished && first.isCancelled == isCancelled)
    }
  }

  /// Does something in the moment in which observers are told that it executes.
  private final class ActsAtStart: AsynchronousOperation, @unchecked Sendable {
    let mains = EventLog<Int>()
    let act: @Sendable (ActsAtStart) -> Void
    init(_ act: @escaping @Sendable (ActsAtStart) -> Void) {
      self.act = act
      super.init()
    }
    override func main() { mains.add(1) }
    override func didChange(_ key: String) {
      super.didChange(key)
      if key == "isExecuting", isExecuting { act(self) }
    }
  }

  @Test func `a token, a parent and a timeout cancel the operation`() {
    let parent = Future()
    let acts: [@Sendable (TestOperation) -> Void] = [
      { $0.cancelToken.cancel(throwing: Reason("why")) },
      { operation in
        parent.cascadeCancellation(to: operation)
        parent.cancel(throwing: Reason("why"))
      },
      { $0.cancel(after: .seconds(0), throwing: Reason("why")) },
      { $0.cancel(throwing: Reason("why")) },
    ]
    for act in acts {
      for isStarted in [true, false] {
        let operation = TestOperation { _ in }
        if isStarted { operation.start() }
        act(operation)
        #expect(operation.isCancelled && operation.isFinished == isStarted)
        #expect(reason(operation.cancellationReason) == Reason("why"))
        operation.start()
        #expect(operation.isFinished && operation.mains.events == (isStarted ? [1] : []))
        #expect(operation.notes(about: "isCancelled") == TestOperation.cancelled)
      }
    }
  }

  @Test func `cancelling a queue cancels the futures of its operations`() async {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    let started = Gate("started")
    let operations = (0..<5).map { _ in TestOperation { _ in started.open() } }
    for operation in operations { queue.addOperation(operation) }
    await started.passed()
    // Or else the end of the first one, which is cancelled first, lets the second one start.
    queue.isSuspended = true
    queue.cancelAllOperations()
    for operation in operations { #expect(operation.isCancelled) }
    queue.isSuspended = false
    await queue.drained()
    #expect(operations.map(\.mains.events) == [[1], [], [], [], []])
  }

  @Test func `an operation that is dropped while it executes leaves nothing open`() async {
    final class Idle: AsynchronousOperation, @unchecked Sendable {
      override func main() {}
    }
    let token = {
      let operation = Idle(label: "dropped")
      operation.start()
      return operation.cancelToken
    }()
    #expect(token.cancellationReason is AbandonedError)
    await token.drain()
  }

  @Test func `an operation that is on no queue ends its future when it is cancelled, and when it is dropped`() async {
    let operation = TestOperation()
    operation.cancel()
    await #expect(throws: CancellationError.self) { try await operation.cancelToken.value }
    #expect(!operation.isFinished && operation.isCancelled)
    let dropped = TestOperation(label: "dropped").cancelToken
    #expect(dropped.isCancelled)
    #expect((dropped.cancellationReason as? AbandonedError)?.origin.label == "dropped")
  }

  // MARK: Turns

  @Test func `while a block has the turn of its future nothing is decided, then everything at once`() async {
    let operation = TestOperation { _ in }
    operation.start()
    let gate = Gate("turn")
    operation.standStill(until: gate)
    operation.cancel()
    operation.finish()
    #expect(operation.isExecuting && !operation.isCancelled && !operation.isFinished)
    gate.open()
    #expect(await operation.handlersFinished == .cancelled)
    operation.performAndWait {}
    #expect(operation.isCancelled && operation.isFinished)
    #expect(operation.notes.events == ranAndCancelled)
  }

  @Test func `an operation whose cancellation is queued is started, as it isn't cancelled yet`() async {
    let operation = TestOperation { _ in }
    let gate = Gate("turn")
    operation.standStill(until: gate)
    operation.cancel()
    operation.start()
    #expect(operation.mains.events == [1])
    gate.open()
    _ = await operation.handlersFinished
    operation.performAndWait {}
    #expect(operation.isFinished && operation.isCancelled)
  }

  @Test func `started while its cancellation handlers run it is finished by them`()
    async
  {
    let operation = TestOperation()
    let (inside, gate) = (Gate("inside"), Gate("handler"))
    operation.onCancel(on: .inline) {
      inside.open()
      gate.wait()
    }
    async let cancelled: Void = onThread { operation.cancel() }
    await inside.passed()
    operation.start()
    #expect(operation.mains.events == [] && !operation.isFinished && operation.isCancelled)
    gate.open()
    await cancelled
    #expect(operation.isFinished)
    #expect(operation.contradictions.events == [])
  }

  // MARK: What Operation offers

  @Test func `dependencies run in order, whatever becomes of them, and a cancelled operation doesn't wait for its own`()
    async
  {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 8
    let log = EventLog<String>()
    let gate = Gate("first")
    let first = TestOperation { operation in
      startThread {
        gate.wait()
        log.add("first")
        operation.finish()
      }
    }
    let second = TestOperation { operation in
      log.add("second")
      operation.cancel()
    }
    let third = TestOperation { operation in
      log.add("third")
      operation.finish()
    }
    let skipped = TestOperation()
    second.addDependency(first)
    third.addDependency(second)
    skipped.addDependency(first)
    #expect(!skipped.isReady)
    for operation in [third, second, skipped, first] { queue.addOperation(operation) }
    skipped.cancel()
    #expect(skipped.isReady)
    await onThread { skipped.waitUntilFinished() }
    #expect(skipped.mains.events == [] && !first.isFinished)
    gate.open()
    await queue.drained()
    #expect(log.events == ["first", "second", "third"])
    for operation in [first, second, third, skipped] { #expect(operation.contradictions.events == []) }
  }

  @Test(arguments: [true, false])
  func `the completion block runs once, and waitUntilFinished returns`(_ isCancelled: Bool) async {
    let queue = OperationQueue()
    let operation = TestOperation { operation in
      startThread { isCancelled ? operation.cancel() : operation.finish() }
    }
    let blocks = EventLog<Int>()
    let called = Gate("completion block")
    operation.completionBlock = {
      blocks.add(1)
      called.open()
    }
    queue.addOperation(operation)
    await onThread { operation.waitUntilFinished() }
    #expect(operation.isFinished && operation.isCancelled == isCancelled)
    await called.passed()
    operation.cancel()
    operation.finish()
    await queue.drained()
    #expect(blocks.events == [1])
  }

  @Test func `after its end nothing keeps the operation, and it keeps no handler`() async {
    let live = LiveCount()
    let queue = OperationQueue()
    let gates = (0..<3).map { Gate("operation \($0) is gone") }
    for (index, gate) in gates.enumerated() {
      let operation = TestOperation { [kept = live.make(), sign = OnDeinit { gate.open() }] operation in
        kept.touch()
        sign.touch()
        operation.finish()
      }
      operation.onCleanUp(on: .inline) { [kept = live.make()] in kept.touch() }
      if index < 2 { queue.addOperation(operation) }
      if index == 1 { operation.cancel() }
    }
    await queue.drained()
    for gate in gates { await gate.passed() }
    #expect(live.value == 0)
  }
}
