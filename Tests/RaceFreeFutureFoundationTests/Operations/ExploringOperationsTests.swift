// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFuture
import RaceFreeFutureFoundation
import RaceFreeFutureTesting
import TestSupport
import Testing

/// Operations in the body of an exploration: those that it starts are controlled, as are, on Linux, those of its queues.
///
/// One at a time, as a process explores anyway: tests that wait for that turn would keep others from running.
@Suite(.serialized) struct ExploringOperationsTests {
  /// How an operation ended.
  private static func end<Value>(of operation: FutureOperation<Value>) async -> String {
    do {
      return "\(try await operation.valueFuture.value)"
    } catch {
      return "\(type(of: error))"
    }
  }

  @Test func `A start and a cancellation come in every order, and the operation is finished in each`() async {
    let (ends, mains) = (Variable<Set<String>>([]), Variable<Set<Int>>([]))
    let report = await exploreTasks("an operation is cancelled") { scenario in
      let runs = Variable(0)
      let operation = FutureOperation(label: "search") { _ in
        runs.value += 1
        return 7
      }
      async let started: Void = operation.start()
      async let cancelled: Void = operation.cancel()
      let end = await Self.end(of: operation)
      _ = await (started, cancelled)
      scenario.check(operation.isFinished && !operation.isExecuting, "it isn't finished")
      scenario.check(runs.value == (end == "7" ? 1 : 0), "it ran \(runs.value) times, and ended with \(end)")
      ends.value.insert(end)
      mains.value.insert(runs.value)
    }
    #expect(report.passed && report.isComplete, "\(report)")
    #expect(ends.value == ["7", "CancellationError"] && mains.value == [0, 1])
  }

  @Test func `An operation whose work is a task may be cancelled at each of its suspensions`() async {
    let reached = Variable<Set<String>>([])
    let report = await exploreTasks("a task's operation is cancelled") { scenario in
      let steps = Variable(0)
      let operation = FutureOperation<Int>.task(label: "search") {
        steps.value = 1
        try await Task.sleep(for: .seconds(1))
        steps.value = 2
        return 7
      }
      let handled = Variable(0)
      operation.onResult(on: .inline) { _ in handled.value += 1 }
      operation.start()
      async let ending = Self.end(of: operation)
      try? await Task.sleep(for: .seconds(1))
      operation.cancel()
      let end = await ending
      // Who awaits the value may be faster than the operation's own end; a cancellation that comes between the two finds the
      // value delivered, and the handlers not called.
      scenario.atEnd {
        if !operation.isFinished { return "it isn't finished" }
        return handled.value <= (end == "7" ? 1 : 0) ? nil : "\(end), and \(handled.value) results"
      }
      reached.value.insert("\(steps.value) \(end)")
    }
    #expect(report.passed && report.uncontrolled == nil, "\(report)")
    #expect(reached.value.isSuperset(of: ["1 CancellationError", "2 7"]), "\(reached.value)")
  }

  @Test(.withoutRecording) func `A result that is shown after the operation was cancelled is found`() async {
    func report(isMended: Bool) async -> Exploration {
      await exploreTasks("nothing is shown after a cancel") { scenario in
        let operation = FutureOperation.task(label: "search") { 7 }
        let shown = Variable(0)
        if isMended {
          operation.onResult(on: .main) { _ in shown.value += 1 }
        } else {
          Task { @MainActor in
            guard (try? await operation.valueFuture.value) != nil else { return }
            shown.value += 1
          }
        }
        operation.start()
        await Task.yield()
        let before = await MainActor.run {
          operation.cancel()
          return shown.value
        }
        scenario.atEnd { shown.value == before ? nil : "it is shown after the cancel" }
      }
    }
    let (naive, mended) = (await report(isMended: false), await report(isMended: true))
    #expect(naive.failure == "it is shown after the cancel", "\(naive)")
    #expect(mended.passed && mended.isComplete, "\(mended)")
  }

  @Test func `Operations that are started by a task each run in every order`() async {
    let orders = Variable<Set<[Int]>>([])
    let report = await exploreTasks("two operations") { scenario in
      let ran = Variable<[Int]>([])
      let operations = (1...2).map { number in
        FutureOperation(label: "\(number)") { _ in
          ran.value.append(number)
          return number
        }
      }
      for operation in operations { Task { operation.start() } }
      let sum = try await operations[0].valueFuture.value + operations[1].valueFuture.value
      scenario.check(sum == 3, "\(sum)")
      orders.value.insert(ran.value)
    }
    #expect(report.passed && report.isComplete, "\(report)")
    #expect(orders.value == [[1, 2], [2, 1]])
  }

  /// Lets a queue run an operation that waits for a signal of the body.
  @Sendable private static func searches(in queue: OperationQueue, _ scenario: TaskScenario) async {
    let isAwaited = DispatchSemaphore(value: 0)
    let operation = FutureOperation(label: "search") { _ in
      isAwaited.wait()
      return 7
    }
    queue.addOperation(operation)
    async let end = Self.end(of: operation)
    async let signal: Void = { _ = isAwaited.signal() }()
    await signal
    let value = await end
    scenario.check(value == "7", value)
  }

  #if os(Linux)
    @Test func `An operation queue that the order makes is driven`() async {
      let report = await exploreTasks("a queue", .exhaustive(maxOrders: 20)) { scenario in
        await Self.searches(in: OperationQueue(), scenario)
      }
      #expect(report.passed && report.uncontrolled == nil, "\(report)")
    }
  #endif

  @Test(.withoutRecording) func `An operation queue that others have made is told of as uncontrolled`() async {
    let queue = OperationQueue()
    await withCheckedContinuation { continuation in queue.addOperation { continuation.resume() } }
    let report = await exploreTasks("a queue", .exhaustive(maxOrders: 20)) { scenario in
      await Self.searches(in: queue, scenario)
    }
    #expect(report.verdict == .inconclusive && !report.isComplete, "\(report)")
    #expect(report.uncontrolled != nil, "\(report)")
    #expect(
      report.description.replacing("\n", with: " ").contains(
        "nobody knows how many there are, because control was left"
      ),
      "\(report)"
    )
  }
}
