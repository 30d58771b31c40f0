// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFuture
import RaceFreeFutureTesting
import Synchronization
import TestSupport
import Testing

/// The atomic accesses of the library's own lock-free code, and what each of them needs.
///
/// With an ordering that is weaker by one step, or without what makes up for one, some order fails.
///
/// `Scripts/orderings.sh` prints both tables; Documentation/Design.md names these rows as its reasons.
@Suite struct OrderingTests {
  private static let rows = OrderingTable.rows + RelaxedTable.rows

  private func explored(_ row: OrderingRow, isWeaker: Bool) async -> Exploration {
    await explore(row.testDescription) { row.scenario(isWeaker, $0) }
  }

  @Test(arguments: rows) func `As the library has it, it passes in all orders`(row: OrderingRow) async {
    let report = await explored(row, isWeaker: false)
    #expect(report.passed && report.isComplete, "\(report)")
  }

  @Test(.withoutRecording, arguments: rows) func `With less, some order fails`(row: OrderingRow) async {
    let report = await explored(row, isWeaker: true)
    #expect(!report.passed && report.order != nil, "\(report)")
  }

  @Test func `Each reason in Design.md that names an explored place has a row with that ordering`() throws {
    let root = URL(filePath: #filePath).pathComponents.prefix { $0 != "Tests" }.joined(separator: "/")
    let page = try String(contentsOfFile: "\(root)/Documentation/Design.md", encoding: .utf8)
    let reasons = page.matches(of: #/\| `[\w+]+` \| (.*) \| explored as (`[^`]*`)/#)
    #expect(reasons.count > 5)
    for reason in reasons {
      for access in reason.1.matches(of: #/`[\w.]+` (\w+)/#) {
        #expect(OrderingTable.rows.contains { $0.place.hasPrefix(reason.2) && $0.has == access.1 }, "\(reason.0)")
      }
    }
  }

  @Test(.withoutRecording, .enabled(if: ProcessInfo.processInfo.environment["RACEFREEFUTURE_ORDERINGS"] != nil))
  func `The tables are written`() async throws {
    let path = try #require(ProcessInfo.processInfo.environment["RACEFREEFUTURE_ORDERINGS"])
    var lines = [
      "| place | access | has | with | what fails then | orders |", "| --- | --- | --- | --- | --- | ---: |",
    ]
    for row in OrderingTable.rows {
      let (failure, orders) = await outcome(of: row)
      lines.append("| \(row.place) | \(row.access) | \(row.has) | \(row.instead) | \(failure) | \(orders) |")
    }
    lines += [
      "", "| place | relaxed access | enough, because | with | what fails then | orders |",
      "| --- | --- | --- | --- | --- | ---: |",
    ]
    for row in RelaxedTable.rows {
      let (failure, orders) = await outcome(of: row)
      lines.append("| \(row.place) | \(row.access) | \(row.has) | \(row.instead) | \(failure) | \(orders) |")
    }
    try (lines.joined(separator: "\n") + "\n").write(toFile: path, atomically: true, encoding: .utf8)
  }

  private func outcome(of row: OrderingRow) async -> (failure: String, orders: Int) {
    let (strong, weak) = (await explored(row, isWeaker: false), await explored(row, isWeaker: true))
    // Where something was made isn't of interest here.
    return (weak.failure?.replacing(#/ \([^)]*\.swift:[0-9]+\)/#, with: "") ?? "nothing", strong.orders)
  }
}
