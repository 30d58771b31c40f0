// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import RaceFreeFutureTestingTools

/// Runs all orders that can be told apart, those with the fewest forced switches first (``OrderSearch``).
final class SystematicStrategy: Strategy {
  private var search: OrderSearch
  private var start: OrderSearch.Start?
  /// The steps that are asleep, and the number of steps whose effect on them is known.
  private var sleep: [OrderSearch.Asleep] = []
  private var known = 0
  /// The step from which on another order shows the same.
  private var redundantFrom: Int?

  init(limit: Int, part: SearchPart? = nil) {
    search = OrderSearch(limit: limit, part: part)
  }

  /// The number of forced switches of the orders that are next; all with fewer have been run.
  var forced: Int? { search.forced }
  /// The number of orders that are known to be left.
  var waitingCount: Int { search.waitingCount }
  /// True if so many races are known that it takes long to run them the other way round.
  var hasManyRaces: Bool { search.isReducing && search.waitingCount >= 8 }
  /// True if orders were dropped that can't be run any more.
  var isTruncated: Bool { search.isTruncated }
  /// True if some orders are left out because others show the same.
  var isReducing: Bool { search.isReducing }

  /// Writes what is left of the search, or replaces it by what was written.
  func pass(through archive: inout Archive) { search.pass(through: &archive) }

  func begin(after coverage: Explorer.Coverage) -> Bool {
    start = search.next()
    (sleep, redundantFrom) = (start?.sleep ?? [], nil)
    known = max(0, (start?.length ?? 0) - 1)
    return start != nil
  }

  func choose(among choices: [Int], in run: OrderRun) throws(OrderFailure) -> Int {
    guard let start else { return choices[0] }
    let (trail, step) = (run.trail, run.trail.count)
    if !start.knows(choices, at: step) {
      throw .notRepeatable(step: step + 1, now: choices.map { run.title(of: $0) })
    }
    if let told = start.line(at: step) { return told }
    while known < step {
      sleep = OrderSearch.still(sleep, after: trail.on[known], trail.footprints[known])
      known += 1
    }
    let isAll = sleep.isEmpty || redundantFrom != nil
    let awake = isAll ? choices : choices.filter { choice in !sleep.contains { $0.choice == choice } }
    if let line = OrderSearch.goOn(trail.on.last, awake) { return line }
    // Tasks and threads can't be ended in the middle, so they continue to their end.
    if run.threads.all.isEmpty, run.taskScenario == nil { throw .redundant }
    redundantFrom = step
    return OrderSearch.goOn(trail.on.last, choices) ?? choices[0]
  }

  /// True if the order is counted by another process that runs another part.
  var isOfOthers: Bool { search.isOfOthers }

  /// Notes an order, unless it failed.
  func end(_ order: Explorer.Ended) -> Explorer.Ended {
    var order = order
    if let redundantFrom, order.failure == nil {
      order.trail = order.trail.prefix(redundantFrom)
      order.failure = .redundant
    }
    if let start, order.failure == nil || order.failure == .redundant { search.add(order.trail, of: start) }
    return order
  }
}
