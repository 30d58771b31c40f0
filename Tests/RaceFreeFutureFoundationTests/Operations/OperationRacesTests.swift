// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import RaceFreeFuture
import RaceFreeFutureTesting
import Synchronization
import TestSupport
import Testing

@testable import RaceFreeFutureFoundation

/// Starting, finishing and cancelling at the same time.
@Suite(.serialized) struct OperationRacesTests {
  /// The first and the last thing that observers are told, and how often.
  private func verify(_ operation: TestOperation) {
    #expect(operation.isFinished && !operation.isExecuting)
    #expect(!operation.isPending && operation.isCancelled == operation.isCancelled)
    #expect(operation.contradictions.events == [])
    #expect(operation.mains.events.count <= 1)
    let told = operation.notes(about: "isExecuting") + operation.notes(about: "isFinished")
    let ran = ["will isExecuting, is false", "did isExecuting, is true", "will isExecuting, is true"]
    let end = ["did isExecuting, is false"] + TestOperation.onlyFinished
    if told.count == 2 {
      #expect(told == TestOperation.onlyFinished)
      #expect(operation.mains.events.isEmpty)
    } else {
      #expect(told == ran + end)
    }
    #expect(operation.notes(about: "isCancelled") == (operation.isCancelled ? TestOperation.cancelled : []))
    // In order: what begins the execution comes before all that ends it.
    let order = operation.notes.events.filter { !$0.contains("isCancelled") }
    #expect(order == (told.count == 2 ? TestOperation.onlyFinished : TestOperation.ranAndFinished))
  }

  @Test func `start against cancel against finish: finished once, told in order`() async {
    let cancelled = Atomic(0), ran = Atomic(0)
    await stress(
      rounds: iterations(3_000),
      make: { TestOperation { _ in } },
      actors: [{ $0.start() }, { $0.cancel() }, { $0.finish() }],
      verify: { operation in
        verify(operation)
        if operation.isCancelled { cancelled.add(1, ordering: .relaxed) }
        if operation.mains.events == [1] { ran.add(1, ordering: .relaxed) }
      }
    )
    // A short run under a sanitizer may well be one-sided.
    if iterations(3_000) >= 3_000 {
      #expect((1..<iterations(3_000)).contains(cancelled.load(ordering: .relaxed)))
      #expect((1..<iterations(3_000)).contains(ran.load(ordering: .relaxed)))
    }
  }

  @Test func `a second cancellation that meets the first on its way doesn't finish it before its handlers have run`() {
    let (first, second) = (Future(), Future())
    let operation = TestOperation { _ in }
    let log = EventLog<String>()
    first.cascadeCancellation(to: operation)
    second.cascadeCancellation(to: operation)
    operation.onCancel(on: .inline) { log.add("stopped, finished: \(operation.isFinished)") }
    // All futures of the first tree are marked by now, and none of their handlers but this has started.
    first.onCancel(on: .inline) {
      second.cancel()
      log.add("cancelled: \(operation.isCancelled), finished: \(operation.isFinished)")
    }
    operation.start()
    first.cancel()
    #expect(log.events == ["cancelled: true, finished: false", "stopped, finished: false"])
    #expect(operation.isFinished)
  }

  @Test func `several starts: main runs once`() async {
    await stress(
      rounds: iterations(2_000),
      make: { TestOperation() },
      actors: [{ $0.start() }, { $0.start() }],
      verify: { operation in
        verify(operation)
        #expect(operation.mains.events == [1])
      }
    )
  }

  @Test func `blocks that have the turn of the future against everything else`() async {
    await stress(
      rounds: iterations(2_000),
      make: { TestOperation { _ in } },
      actors: [
        { $0.start() },
        { $0.performAndWait {} },
        { $0.cancel() },
      ],
      verify: { operation in
        operation.performAndWait {}
        operation.performAndWait {}
        verify(operation)
        #expect(operation.isCancelled)
      }
    )
  }

  @Test func `results against finish against cancel: one of the results, or none`() async {
    await stress(
      rounds: iterations(2_000),
      make: { FutureOperation<Int>() },
      actors: [
        { operation in for number in 1...3 { operation.setResult(number) } },
        { operation in
          operation.setResult(0)
          operation.finish()
        },
        { $0.cancel() },
      ],
      verify: { operation in
        if operation.isCancelled {
          #expect(operation.valueFuture.result == nil)
        } else {
          #expect((0...3).contains((try? operation.valueFuture.result?.get()) ?? -1))
        }
      }
    )
  }

  /// One of ten thousand operations.
  private func operation(_ kind: UInt64, _ elsewhere: DispatchQueue, _ sign: OnDeinit) -> TestOperation {
    TestOperation { operation in
      switch kind {
      case 0: operation.finish()
      case 1: operation.cancel()
      case 2: elsewhere.async { operation.finish() }
      case 3:
        elsewhere.async { operation.finish() }
        elsewhere.async { operation.cancel() }
      default:
        operation.attach {
          sign
        } stop: {
          $0.touch()
        }
        elsewhere.async { operation.cancelToken.cancel() }
      }
      sign.touch()
    }
  }

  @Test(arguments: [1, 2, 8])
  func `ten thousand operations, cancelled at random by several threads`(_ width: Int) async {
    let count = iterations(10_000)
    let blocks = DispatchGroup()
    // All operations, handlers and blocks keep the sign: a single one that leaked would keep the gate closed.
    let allGone = Gate("nothing has leaked")
    await run(count, width, blocks, OnDeinit { allGone.open() })
    await allGone.passed()
  }

  private func run(_ count: Int, _ width: Int, _ blocks: DispatchGroup, _ sign: OnDeinit) async {
    let queue = OperationQueue(maxConcurrentOperationCount: width)
    let elsewhere = DispatchQueue(label: "elsewhere", attributes: .concurrent)
    var generator = SeededGenerator(seed: testSeed)
    var operations: [TestOperation] = []
    for index in 0..<count {
      let operation = operation(generator.next() % 5, elsewhere, sign)
      operation.onCleanUp(on: .inline) { sign.touch() }
      blocks.enter()
      operation.completionBlock = {
        sign.touch()
        // Dispatch stops the program if this comes once too often, and the wait below doesn't end if it doesn't come.
        blocks.leave()
      }
      if index > 0, generator.next() % 8 == 0 { operation.addDependency(operations[index - 1]) }
      operations.append(operation)
    }
    let all = operations
    let cancellers = (1...3).map { number in
      { @Sendable in
        var generator = SeededGenerator(seed: testSeed &+ UInt64(number))
        for _ in 0..<(count / 6) {
          let operation = all[Int(generator.next() % UInt64(count))]
          if generator.next() % 2 == 0 { operation.cancel() } else { operation.cancelToken.cancel() }
        }
      }
    }
    await onThreads([{ for operation in all { queue.addOperation(operation) } }] + cancellers)
    await queue.drained()
    await onThread { blocks.wait() }
    #expect(queue.operationCount == 0)
    for operation in all { verify(operation) }
    #expect((1..<count).contains(all.count { $0.mains.events == [1] }), "seed \(testSeed)")
  }
}
