// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting
import TestSupport
import Testing

@testable import RaceFreeFutureExploring

@Suite struct SearchTests {
  /// Explores three actors with two steps each, which touch nothing in common.
  private func explored(_ search: Search) async -> Exploration {
    await explore("three", search) { scenario in
      for name in ["a", "b", "c"] {
        scenario.actor(name, .init("1", touches: [name]) {}, .init("2", touches: [name]) {})
      }
    }
  }

  @Test(.withoutRecording) func `When the time is up, no further order begins, and the report says so`() async {
    for search in [Search.exhaustive(for: .zero, maxSwitches: 9), .sample(orders: 10, for: .zero)] {
      let report = await explored(search)
      #expect(report.verdict == .inconclusive && !report.isComplete && report.orders == 1, "\(report)")
      #expect(report.description.replacing("\n", with: " ").contains("then the time was up"), "\(report)")
    }
  }

  @Test func `A time that isn't up limits nothing`() async {
    let report = await explored(.exhaustive(for: .seconds(1_000_000)))
    #expect(report.passed && report.isComplete && report.orders == 1, "\(report)")
  }

  @Test func `Orders with more switches than allowed aren't run, and all others are`() async {
    // As many as there are sequences of the three.
    let none = await explored(.exhaustive(maxSwitches: 0))
    #expect(none.passed && !none.isComplete && none.orders == 6, "\(none)")
    #expect(
      none.description.contains("6 orders, not all that there are: all with at most 0 forced switches"),
      "\(none)"
    )
    let all = await explored(.exhaustive(maxSwitches: 6))
    #expect(all.passed && all.isComplete && all.orders == 90, "\(all)")
  }

  @Test func `If too few orders are allowed, the report says which of those with few switches were run`() async {
    let report = await explored(.exhaustive(maxOrders: 8, maxSwitches: 2))
    #expect(report.passed && !report.isComplete && report.orders == 8, "\(report)")
    let words = report.description.replacing("\n", with: " ")
    #expect(words.contains("all with at most 0 forced switches, 8 with the fewest switches"), "\(report)")
  }
}
