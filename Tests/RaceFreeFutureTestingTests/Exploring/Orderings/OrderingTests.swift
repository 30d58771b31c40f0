// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFuture
import RaceFreeFutureTesting
import Synchronization
import Testing

/// Every ordering that the library's own lock-free code argues: weakened by one step, some order fails, or it is said why
/// none does.
///
/// `Scripts/orderings.sh` makes the table of Documentation/Orderings.md of it.
@Suite struct OrderingTests {
  private func explored(_ row: OrderingRow, isWeaker: Bool) async -> Exploration {
    await explore(row.testDescription) { row.scenario(isWeaker, $0) }
  }

  @Test(arguments: OrderingTable.rows) func `As the library has it, it passes in all orders`(row: OrderingRow) async {
    let report = await explored(row, isWeaker: false)
    #expect(report.passed && report.isComplete, "\(report)")
  }

  @Test(arguments: OrderingTable.rows.filter { $0.passesBecause == nil })
  func `Weakened by one step, some order fails`(row: OrderingRow) async {
    let report = await explored(row, isWeaker: true)
    #expect(!report.passed && report.order != nil, "\(report)")
  }

  @Test(arguments: OrderingTable.rows.filter { $0.passesBecause != nil })
  func `Where less would do, all orders pass with less`(row: OrderingRow) async {
    let report = await explored(row, isWeaker: true)
    #expect(report.passed && report.isComplete, "\(report)")
  }

  @Test func `A pending flag that is relaxed is enough where references are counted`() async {
    // `ValueBox.isReceived`.
    let report = await explore("received or handed over") { scenario in
      let isReceived = Explored.Atomic(false)
      let owners = Explored.Atomic(2)
      let handedOver = Explored.Atomic(false)
      let release: @Sendable () -> Void = {
        guard owners.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 else { return }
        if !isReceived.load(ordering: .relaxed) { handedOver.store(true, ordering: .relaxed) }
      }
      scenario.thread("receives") {
        isReceived.store(true, ordering: .relaxed)
        release()
      }
      scenario.thread("lets go", release)
      scenario.atEnd { handedOver.load(ordering: .relaxed) ? "both" : nil }
    }
    #expect(report.passed && report.isComplete, "\(report)")
  }

  @Test func `A mark that each thread compares with itself may be relaxed`() async {
    // `PrivateQueue.owner`: a turn of each thread, one after the other.
    let report = await explore("is it mine?") { scenario in
      let owner = Explored.Atomic(0)
      let turn = Explored.Mutex(())
      let isWrong = Explored.Atomic(false)
      for thread in 1...2 {
        scenario.thread("\(thread)") {
          if owner.load(ordering: .relaxed) == thread { isWrong.store(true, ordering: .relaxed) }
          turn.withLock { _ in
            owner.store(thread, ordering: .relaxed)
            if owner.load(ordering: .relaxed) != thread { isWrong.store(true, ordering: .relaxed) }
            owner.store(0, ordering: .relaxed)
          }
          if owner.load(ordering: .relaxed) == thread { isWrong.store(true, ordering: .relaxed) }
        }
      }
      scenario.atEnd { isWrong.load(ordering: .relaxed) ? "a thread took itself for another one" : nil }
    }
    #expect(report.passed && report.isComplete, "\(report)")
  }

  @Test(.enabled(if: ProcessInfo.processInfo.environment["RACEFREEFUTURE_ORDERINGS"] != nil))
  func `The table is written`() async throws {
    let path = try #require(ProcessInfo.processInfo.environment["RACEFREEFUTURE_ORDERINGS"])
    var lines = [
      "| place | access | has | with | what fails without it | orders |", "| --- | --- | --- | --- | --- | ---: |",
    ]
    for row in OrderingTable.rows {
      let strong = await explored(row, isWeaker: false)
      let weak = await explored(row, isWeaker: true)
      // Where something was made isn't of interest here.
      let failure = weak.failure?.replacing(#/ \([^)]*\.swift:[0-9]+\)/#, with: "")
      let result = failure ?? "nothing: \(row.passesBecause ?? "")"
      lines.append(
        "| \(row.place) | \(row.access) | \(row.ordering) | \(row.weaker) | \(result) | \(strong.orders) |"
      )
    }
    try (lines.joined(separator: "\n") + "\n").write(toFile: path, atomically: true, encoding: .utf8)
  }
}
