// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import RaceFreeFutureTesting
import Synchronization
import Testing

/// One atomic access of the library, and what is needed for it.
struct OrderingRow: Sendable, CustomTestStringConvertible {
  let place: String
  let access: String
  /// The ordering that the library has; for a relaxed access, what makes up for one.
  let has: String
  /// What it has instead in the second exploration.
  let instead: String
  /// What is explored: as the library has it, or with less.
  let scenario: @Sendable (_ isWeaker: Bool, Scenario) -> Void

  var testDescription: String { "\(place), \(access): \(instead) instead of \(has)" }
}

/// The accesses that have an ordering.
enum OrderingTable {
  static let rows = lazyReference + polledOutcome + operations + crashes + notes + manualRuns + waits

  // MARK: LazyReference

  final class Made: Sendable {
    let content = Explored.Cell(1)
  }

  private static func lazy(
    _ access: String,
    _ has: String,
    _ instead: String,
    _ weaken: @escaping @Sendable (inout LazyReferenceDouble<Made>.Orderings) -> Void
  ) -> OrderingRow {
    OrderingRow(
      place: "`LazyReference`",
      access: access,
      has: has,
      instead: instead
    ) { isWeaker, scenario in
      var orderings = LazyReferenceDouble<Made>.Orderings()
      if isWeaker { weaken(&orderings) }
      let reference = LazyReferenceDouble<Made>(orderings)
      for name in ["a", "b"] {
        scenario.thread(name) { _ = (reference.object ?? reference.fill(with: Made())).content.value }
      }
    }
  }

  private static let lazyReference = [
    lazy("load in `object`", "acquiring", "relaxed") { $0.load = .relaxed },
    lazy("exchange in `fill`, of who wins", "acquiringAndReleasing", "acquiring") { $0.fill = .acquiring },
    lazy("exchange in `fill`, of who comes second", "acquiringAndReleasing", "releasing") { $0.fill = .releasing },
  ]

  // MARK: The polled outcome

  private static let polledOutcome = [true, false].map { isStore in
    OrderingRow(
      place: "`Future.polledOutcome`",
      access: isStore ? "store in `process`" : "load",
      has: isStore ? "releasing" : "acquiring",
      instead: "relaxed"
    ) { isWeaker, scenario in
      var orderings = PolledOutcomeDouble.Orderings()
      if isWeaker { if isStore { orderings.store = .relaxed } else { orderings.load = .relaxed } }
      let outcome = PolledOutcomeDouble(orderings)
      let result = Explored.Cell(0)
      scenario.thread("decides") {
        result.value = 1
        outcome.complete()
      }
      scenario.thread("polls") {
        if outcome.isResolved { _ = result.value }
      }
    }
  }

  // MARK: Waits

  /// The gate at which the thread of a race waits for the task that it runs.
  private static let waits = [true, false].map { isStore in
    OrderingRow(
      place: "`TaskThread.run`, a gate of races",
      access: isStore ? "store of `isDone`" : "load of `isDone`",
      has: isStore ? "releasing" : "acquiring",
      instead: "relaxed"
    ) { isWeaker, scenario in
      let isDone = Explored.Atomic(false)
      let news = Explored.Semaphore(value: 0)
      let result = Explored.Cell(0)
      scenario.thread("task") {
        result.value = 1
        isDone.store(true, ordering: isWeaker && isStore ? .relaxed : .releasing)
        news.signal()
      }
      scenario.thread("thread") {
        while !isDone.load(ordering: isWeaker && !isStore ? .relaxed : .acquiring) { news.wait() }
        _ = result.value
      }
    }
  }
}
