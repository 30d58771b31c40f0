// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import RaceFreeFutureTesting
import Synchronization
import Testing

/// One ordering of the library, and the same access with less.
struct OrderingRow: Sendable, CustomTestStringConvertible {
  let place: String
  let access: String
  /// As the library has it.
  let ordering: String
  /// One step less.
  let weaker: String
  /// Why it may be weaker; nil: it is needed.
  var passesBecause: String?
  /// What is explored: as it is, or with less.
  let scenario: @Sendable (_ isWeaker: Bool, Scenario) -> Void

  var testDescription: String { "\(place), \(access): \(weaker) instead of \(ordering)" }
}

enum OrderingTable {
  static let rows = lazyReference + claim + polledOutcome + waits + others

  // MARK: LazyReference

  private final class Made: Sendable {
    let content = Explored.Cell(1)
  }

  private static func lazy(
    _ access: String,
    _ ordering: String,
    _ weaker: String,
    passesBecause: String? = nil,
    _ weaken: @escaping @Sendable (inout LazyReferenceDouble<Made>.Orderings) -> Void
  ) -> OrderingRow {
    OrderingRow(
      place: "`LazyReference`",
      access: access,
      ordering: ordering,
      weaker: weaker,
      passesBecause: passesBecause
    ) { isWeaker, scenario in
      var orderings = LazyReferenceDouble<Made>.Orderings()
      if isWeaker { weaken(&orderings) }
      let reference = LazyReferenceDouble<Made>(orderings)
      // As the runtime counts references: whoever lets go of the last one deinitializes.
      let owners = Explored.Atomic(2)
      for name in ["a", "b"] {
        scenario.thread(name) {
          let object = reference.object ?? reference.fill(with: Made())
          _ = object.content.value
          if owners.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 {
            reference.end { $0.content.value = 0 }
          }
        }
      }
    }
  }

  private static let lazyReference = [
    lazy("load in `object`", "acquiring", "relaxed") { $0.load = .relaxed },
    lazy("exchange in `fill`, of who wins", "acquiringAndReleasing", "acquiring") { $0.fill = .acquiring },
    lazy("exchange in `fill`, of who comes second", "acquiringAndReleasing", "releasing") { $0.fill = .releasing },
    lazy(
      "load in `deinit`",
      "acquiring",
      "relaxed",
      passesBecause: "counting references orders what its owners did before it ends"
    ) { $0.end = .relaxed },
  ]

  // MARK: Claim

  private static func claim(
    _ access: String,
    _ ordering: String,
    _ weaker: String,
    passesBecause: String? = nil,
    _ weaken: @escaping @Sendable (inout ClaimDouble.Orderings) -> Void,
    _ scenario: @escaping @Sendable (ClaimDouble.Orderings, Scenario) -> Void
  ) -> OrderingRow {
    OrderingRow(place: "`Claim`", access: access, ordering: ordering, weaker: weaker, passesBecause: passesBecause) {
      var orderings = ClaimDouble.Orderings()
      if $0 { weaken(&orderings) }
      scenario(orderings, $1)
    }
  }

  private static let claim = [
    claim("`remove`", "acquiringAndReleasing", "acquiring", { $0.remove = .acquiring }, takenBack),
    claim("`begin`, which comes second", "acquiringAndReleasing", "releasing", { $0.begin = .releasing }, takenBack),
    claim("`begin`, of a task", "acquiringAndReleasing", "releasing", { $0.begin = .releasing }, parked),
    claim("`park`", "acquiringAndReleasing", "acquiring", { $0.park = .acquiring }, parked),
    claim("`end`", "acquiringAndReleasing", "acquiring", { $0.end = .acquiring }, awaited),
    claim(
      "`end`",
      "acquiringAndReleasing",
      "releasing",
      passesBecause: "the lock of the table orders whoever waits and whoever wakes it",
      { $0.end = .releasing },
      awaited
    ),
    claim("`isOver`", "acquiring", "relaxed", { $0.isOver = .relaxed }, polled),
    claim(
      "`remove`, which comes second",
      "acquiringAndReleasing",
      "releasing",
      { $0.remove = .releasing },
      removedLate
    ),
    claim("load in `waitUntilReturned`", "acquiring", "relaxed", { $0.wait = .relaxed }, awaited),
    claim(
      "exchange in `waitUntilReturned`",
      "acquiringAndReleasing",
      "releasing",
      { $0.mark = .releasing },
      awaited
    ),
    claim(
      "exchange in `waitUntilReturned`",
      "acquiringAndReleasing",
      "acquiring",
      passesBecause: "only the bit is handed over by it",
      { $0.mark = .acquiring },
      awaited
    ),
  ]

  /// What was done before a handler was taken back is known to who would have run it.
  @Sendable private static func takenBack(_ orderings: ClaimDouble.Orderings, _ scenario: Scenario) {
    let claim = ClaimDouble(orderings)
    let (before, handler) = (Explored.Cell(0), Explored.Cell(1))
    scenario.thread("takes back") {
      before.value = 1
      if claim.remove() { handler.value = 0 }
    }
    scenario.thread("runs") {
      if claim.begin() { handler.value += 1 } else { _ = before.value }
    }
  }

  /// Who resumes a task finds its continuation.
  @Sendable private static func parked(_ orderings: ClaimDouble.Orderings, _ scenario: Scenario) {
    let claim = ClaimDouble(orderings, isUnparked: true)
    let continuation = Explored.Cell(0)
    scenario.thread("suspends") {
      continuation.value = 1
      _ = claim.park()
    }
    scenario.thread("resumes") {
      if claim.begin() { _ = continuation.value }
    }
  }

  /// Behind the wait for a handler that has begun, what it did is there.
  @Sendable private static func awaited(_ orderings: ClaimDouble.Orderings, _ scenario: Scenario) {
    let claim = ClaimDouble(orderings)
    let effect = Explored.Cell(0)
    scenario.thread("runs") {
      guard claim.begin() else { return }
      effect.value = 1
      claim.end()
    }
    scenario.thread("waits") {
      guard !claim.remove() else { return }
      claim.waitUntilReturned()
      _ = effect.value
    }
  }

  /// The same if the handler has ended by then.
  @Sendable private static func removedLate(_ orderings: ClaimDouble.Orderings, _ scenario: Scenario) {
    let claim = ClaimDouble(orderings)
    let before = Explored.Cell(0)
    scenario.thread("runs") {
      before.value = 1
      _ = claim.begin()
    }
    scenario.thread("takes back") {
      if !claim.remove() { _ = before.value }
    }
  }

  @Sendable private static func polled(_ orderings: ClaimDouble.Orderings, _ scenario: Scenario) {
    let claim = ClaimDouble(orderings)
    let effect = Explored.Cell(0)
    scenario.thread("runs") {
      guard claim.begin() else { return }
      effect.value = 1
      claim.end()
    }
    scenario.thread("asks") {
      if claim.isOver { _ = effect.value }
    }
  }

  // MARK: The polled outcome

  private static let polledOutcome = [true, false].map { isStore in
    OrderingRow(
      place: "`Future.polledOutcome`",
      access: isStore ? "store in `process`" : "load",
      ordering: isStore ? "releasing" : "acquiring",
      weaker: "relaxed"
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
      ordering: isStore ? "releasing" : "acquiring",
      weaker: "relaxed"
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

  // MARK: What could do with less

  private static let others = [
    OrderingRow(
      place: "`LatestFuture`, its `Entry`",
      access: "store and load of `hasBeenReplaced`",
      ordering: "releasing, acquiring",
      weaker: "relaxed",
      passesBecause: "the serial context orders the handlers, and nothing is read behind the flag"
    ) { isWeaker, scenario in
      let slot = Explored.Mutex(0)
      let hasBeenReplaced = Explored.Atomic(false)
      let main = Explored.SerialQueue(label: "main")
      let shown = Explored.Cell<[String]>([])
      scenario.thread("user") {
        slot.withLock { slot in
          hasBeenReplaced.store(true, ordering: isWeaker ? .relaxed : .releasing)
          slot = 1
        }
        main.async { shown.value.append("new") }
      }
      scenario.thread("network") {
        main.async {
          if !hasBeenReplaced.load(ordering: isWeaker ? .relaxed : .acquiring) { shown.value.append("old") }
        }
      }
      scenario.atEnd { shown.value.last == "new" ? nil : "the old answer is shown last" }
    },
    OrderingRow(
      place: "`Job`",
      access: "exchanges of `state`",
      ordering: "acquiringAndReleasing",
      weaker: "relaxed",
      passesBecause: "only the winner touches the work, which was there when the job was made"
    ) { isWeaker, scenario in
      let job = JobDouble(isWeaker ? .relaxed : .acquiringAndReleasing)
      let queue = Explored.SerialQueue(label: "global")
      let taken = Explored.Atomic(0)
      scenario.thread("starts") { job.start(on: queue) { taken.add($0, ordering: .relaxed) } }
      scenario.thread("drops") { taken.add(job.takeWork() ?? 0, ordering: .relaxed) }
      scenario.atEnd {
        taken.load(ordering: .relaxed) == 1 ? nil : "the work was taken \(taken.load(ordering: .relaxed)) times"
      }
    },
    OrderingRow(
      place: "`WaitGraph`",
      access: "add and load of `count`",
      ordering: "sequentiallyConsistent",
      weaker: "relaxed",
      passesBecause: "both sides take the lock of the link's target in between"
    ) { isWeaker, scenario in
      let count = Explored.Atomic(0)
      let links = Explored.Mutex(0)
      let found = Explored.Atomic(0)
      scenario.thread("waits") {
        count.add(1, ordering: isWeaker ? .relaxed : .sequentiallyConsistent)
        if links.withLock({ $0 }) > 0 { found.add(1, ordering: .relaxed) }
      }
      scenario.thread("links") {
        links.withLock { $0 += 1 }
        if count.load(ordering: isWeaker ? .relaxed : .sequentiallyConsistent) > 0 { found.add(1, ordering: .relaxed) }
      }
      scenario.atEnd { found.load(ordering: .relaxed) > 0 ? nil : "neither has found the other" }
    },
  ]
}
