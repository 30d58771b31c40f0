// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import RaceFreeFuture
import RaceFreeFutureFoundation
import RaceFreeFutureTesting
import TestSupport
import Testing

@Suite struct OperationQueueAddingTests {
  // MARK: The scenarios

  @Test func `all at once`() async throws {
    let queue = OperationQueue(maxConcurrentOperationCount: 3)
    let here = (0..<3).map { Future(label: "\($0)") }
    let all = ValueFuture.all(
      here.indices.map { index in
        queue.addTask {
          here[index].complete()
          try await Future.all(here).value
          return index
        }
      }
    )
    #expect(try await all.value == [0, 1, 2])
  }

  @Test(arguments: ["completes", "fails", "is cancelled"])
  func `one after the other, whatever the end of the first`(_ end: String) async throws {
    let queue = OperationQueue(maxConcurrentOperationCount: 4)
    let log = EventLog<String>()
    let first = ValueFuture<Int>()
    let second = queue.add(after: first.cancelToken) { log.add("second") }
    let third = queue.add(after: second.cancelToken, first.cancelToken) { log.add("third") }
    #expect(queue.operationCount == 2)
    // Something that was added later isn't held up, as those that wait take no place.
    try await queue.add { log.add("meanwhile") }.value
    log.add(end)
    switch end {
    case "completes": first.complete(with: 1)
    case "fails": first.complete(throwing: Reason("broken"))
    default: first.cancel()
    }
    try await third.value
    #expect(log.events == ["meanwhile", end, "second", "third"])
  }

  @Test func `a closure or a task that is cancelled keeps its place until it returns`() async throws {
    let queue = OperationQueue(maxConcurrentOperationCount: 2)
    let log = EventLog<String>()
    let gates = (0..<2).map { Gate("closure \($0) may return") }
    let closures = gates.indices.map { index in
      queue.add { _ in
        log.add("begins")
        gates[index].wait()
        log.add("returns")
      }
    }
    try await log.wait(for: 2)
    closures[0].cancel()
    let third = queue.add { log.add("third") }
    gates[0].open()
    try await third.value
    #expect(log.events == ["begins", "begins", "returns", "third"])
    gates[1].open()
    _ = await closures[1].handlersFinished

    let (mayEnd, steps) = ((0..<2).map { Future(label: "task \($0) may end") }, EventLog<String>())
    let tasks = mayEnd.map { mayEnd in
      queue.addTask {
        steps.add("begins")
        // Not interested in cancellations.
        _ = await mayEnd.outcome
        steps.add("returns")
      }
    }
    try await steps.wait(for: 2)
    tasks[0].cancel()
    // Its future is cancelled at once.
    await #expect(throws: CancellationError.self) { try await tasks[0].value }
    let next = queue.addTask { steps.add("next") }
    mayEnd[0].complete()
    try await next.value
    #expect(steps.events == ["begins", "begins", "returns", "next"])
    #expect(await tasks[0].handlersFinished == .cancelled)
    mayEnd[1].complete()
    try await tasks[1].value
  }

  @Test func `a predecessor that is dropped while it is pending doesn't hold up what waits for it`() async throws {
    let queue = OperationQueue()
    let second = {
      let first = Future()
      return queue.add(after: first.cancelToken) { 2 }
    }()
    #expect(try await second.value == 2)
  }

  @Test func `work that needs the value of other work has its own label, and so do its errors`() {
    let queue = OperationQueue()
    let first = ValueFuture<Int>(label: "first")
    let second = queue.add(with: first, label: "second") { value, _ in value }
    #expect(second.origin.label == "second")
    let timed = second.timeout(after: .seconds(0))
    #expect(timed.cancellationReason as? TimeoutError == TimeoutError(interval: .seconds(0), label: "second"))
  }

  @Test func `operations one after the other, in two queues`() async {
    let (one, other) = (OperationQueue(), OperationQueue())
    let log = EventLog<Int>()
    let gate = Gate("first")
    let operations = (1...3).map { number in
      FutureOperation { _ in
        if number == 1 { gate.wait() }
        log.add(number)
      }
    }
    let third = one.add(operations[2], after: operations[0], operations[1])
    other.add(operations[1], after: operations[0])
    one.add(operations[0])
    gate.open()
    #expect(await third.outcome == .completed)
    #expect(log.events == [1, 2, 3])
  }

  @Test func `the next only if the one before has succeeded, with its value`() async throws {
    let queue = OperationQueue(maxConcurrentOperationCount: 1)
    let number = queue.add { 6 }
    let product = queue.add(with: number) { number, _ in number * 7 }
    #expect(try await queue.add(with: product) { "\($0)\($1.isPending)" }.value == "42true")
    let log = EventLog<String>()
    let failing: ValueFuture<Int> = queue.add { throw Reason("broken") }
    let next = queue.add(with: failing) { _, _ in log.add("wrong") }
    await #expect(throws: Reason("broken")) { try await next.value }
    let first = ValueFuture<Int>()
    let last = queue.add(with: queue.add(with: first) { value, _ in value }) { _, _ in log.add("wrong") }
    last.cancel()
    #expect(first.isCancelled && last.isCancelled)
    await queue.drained()
    #expect(log.events == [])
  }

  @Test func `two at a time`() async throws {
    let queue = OperationQueue(maxConcurrentOperationCount: 2)
    #expect(queue.maxConcurrentOperationCount == 2)
    let crowd = Crowd()
    let pair = [Future(), Future()]
    let works = (0..<6).map { number in
      queue.addTask(name: "work") {
        crowd.enter()
        defer { crowd.leave() }
        // The first two wait for each other: two do run at once.
        if number < 2 {
          pair[number].complete()
          try await Future.all(pair).value
        }
        return number
      }
    }
    #expect(try await ValueFuture.all(works).value == [0, 1, 2, 3, 4, 5])
    await queue.drained()
    #expect(crowd.most == 2)
  }

  // MARK: Cancelling

  @Test func `cancelling the future cancels the operation, and cancelling the queue the futures`() async {
    let queue = OperationQueue(maxConcurrentOperationCount: 1)
    queue.isSuspended = true
    let log = EventLog<Int>()
    let works = (0..<4).map { number in queue.add { log.add(number) } }
    works[1].cancel(throwing: Reason("this one"))
    #expect(queue.operations.map(\.isCancelled) == [false, true, false, false])
    works[0].cancel(after: .seconds(0))
    queue.isSuspended = false
    await #expect(throws: Reason("this one")) { try await works[1].value }
    #expect(await works[3].outcome == .completed)
    #expect(log.events == [2, 3])
    queue.isSuspended = true
    let more = (0..<3).map { _ in queue.add { log.add(9) } }
    queue.cancelAllOperations()
    for work in more { #expect(work.isCancelled) }
    queue.isSuspended = false
    await queue.drained()
    #expect(log.events == [2, 3])
  }

  @Test func `what waits for something can be cancelled before, and leaves nothing there`() async {
    let queue = OperationQueue()
    let first = Future(label: "long")
    let log = EventLog<Int>()
    let live = LiveCount()
    let waits = (0..<100).map { _ in
      queue.add(after: first.cancelToken) { [kept = live.make()] in
        kept.touch()
        log.add(1)
      }
    }
    #expect(queue.operationCount == 100)
    // What stands for the other future among the dependencies keeps the sign as long as it lives.
    let allGone = Gate("nothing is left at the other future")
    do {
      let sign = OnDeinit { allGone.open() }
      let dependencies = queue.operations.flatMap(\.dependencies)
      #expect(dependencies.count == 100)
      for dependency in dependencies { dependency.completionBlock = { sign.touch() } }
    }
    for work in waits.dropLast() { work.cancel() }
    let last = waits[99].cancelToken
    #expect(first.isPending && last.isPending)
    queue.cancelAllOperations()
    await queue.drained()
    await allGone.passed()
    #expect(live.value == 0)
    #expect(log.events == [])
    #expect(first.isPending)
  }

  @Test func `the token of the work is that of its future`() async throws {
    let queue = OperationQueue()
    let (inside, gate) = (Gate("inside"), Gate("work"))
    let tokens = EventLog<CancelToken>()
    let work: ValueFuture<Int> = queue.add(label: "loop") { token in
      tokens.add(token)
      inside.open()
      gate.wait()
      try token.checkCancellation()
      return 1
    }
    await inside.passed()
    #expect(tokens.events == [work.cancelToken] && work.origin.label == "loop")
    work.cancel(throwing: Reason("enough"))
    gate.open()
    await queue.drained()
    await #expect(throws: Reason("enough")) { try await work.value }
    tokens.removeAll()
  }

  @Test func `after a predecessor that is resolved, or never will be, there is nothing to wait for`() async throws {
    let queue = OperationQueue()
    let done = ValueFuture.completed(with: 1)
    #expect(try await queue.add(after: done, CancelToken.never) { 2 }.value == 2)
  }
}
