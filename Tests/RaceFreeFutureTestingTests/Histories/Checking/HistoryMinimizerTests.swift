// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting
import TestSupport
import Testing

@testable import RaceFreeFutureTestingTools

@Suite struct HistoryMinimizerTests {
  @Test(arguments: SmallModel.all)
  func `what is left of a failing history fails by itself, whatever the other calls did`(_ model: SmallModel) {
    var generator = SeededGenerator(seed: testSeed)
    var failures = 0
    while failures < iterations(60) {
      let history = model.history(&generator)
      guard !history.verdict(against: model).isLinearizable else { continue }
      failures += 1
      var minimizer = HistoryMinimizer(model: model, budget: 100_000)
      let left = minimizer.minimize(history)
      #expect(everyOrder(of: left, model) == nil, "seed \(testSeed)\n\(history)\nleft:\n\(left)")
      // Whatever the others did; what had not returned when it failed first counts as pending.
      let isLeft = Set(left.calls)
      let weakened = History(
        history.calls.map { isLeft.contains($0) ? $0 : isLeft.contains($0.pending) ? $0.pending : $0.optional }
      )
      #expect(everyOrder(of: weakened, model) == nil, "seed \(testSeed)\n\(history)\nleft:\n\(left)")
    }
  }

  private func queue(_ calls: (Int, SmallModel.Operation, Int, UInt64, UInt64)...) -> History<SmallModel.Operation, Int>
  {
    History(
      calls.map { thread, operation, answer, begun, ended in
        .init(thread: thread, operation, answer: answer, begun: begun, ended: ended)
      }
    )
  }

  @Test func `calls that play no part are left out`() {
    let history = queue(
      (0, .put(1), 0, 0, 10),
      (0, .put(2), 0, 11, 20),
      (1, .take, 2, 21, 30),
      (2, .put(5), 0, 25, 35),
      (1, .put(3), 0, 31, 40),
      (2, .take, 1, 41, 50)
    )
    var minimizer = HistoryMinimizer(model: SmallModel.queue, budget: 100_000)
    // The second put isn't needed to show that the first was overtaken; but without it nobody would know what was taken.
    #expect(minimizer.minimize(history) == History(Array(history.calls[..<3])))
  }

  @Test func `two increments that count as one stay with what comes before them`() {
    let counter = SequentialImplementation(0) { (count: inout Int, operation: String) -> Int in
      if operation == "increment" { count += 1 }
      return count
    }
    func call(
      _ thread: Int,
      _ operation: String,
      _ answer: Int,
      _ begun: UInt64,
      _ ended: UInt64
    )
      -> History<String, Int>.Call
    {
      .init(thread: thread, operation, answer: answer, begun: begun, ended: ended)
    }
    let history = History([
      call(0, "value", 0, 0, 5),
      call(0, "increment", 1, 10, 20),
      call(0, "increment", 2, 30, 40),
      call(1, "increment", 2, 35, 45),
      call(0, "value", 2, 50, 60),
    ])
    var minimizer = HistoryMinimizer(model: counter, budget: 100_000)
    #expect(minimizer.minimize(history) == History(Array(history.calls[1...3])))
  }

  @Test func `a value that nobody wrote is shown alone`() {
    let history = queue((0, .put(1), 0, 0, 10), (1, .take, 7, 5, 15), (0, .put(2), 0, 20, 30))
    var minimizer = HistoryMinimizer(model: SmallModel.queue, budget: 100_000)
    #expect(minimizer.minimize(history) == History([history.calls[1]]))
  }

  @Test func `a long history is cut where it fails`() {
    var calls: [History<RegisterOperation, Int>.Call] = (0..<70).map { index in
      .init(
        thread: 0,
        .write(index + 1),
        answer: index,
        begun: UInt64(index) * 10,
        ended: UInt64(index) * 10 + 5
      )
    }
    calls[60] = .init(thread: 0, .write(61), answer: 7, begun: 600, ended: 605)
    let report = HistoryReport("Register", History(calls), register, budget: 1_000_000)
    #expect(report.description.contains("write(61) must return"), "\(report)")
    #expect(report.description.split(separator: "\n").count <= 60)
  }
}
