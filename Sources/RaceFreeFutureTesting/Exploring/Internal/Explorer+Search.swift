// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Synchronization

extension Explorer {
  /// The greatest depth of a mistake that orders by priorities should find: the number of steps whose order matters.
  private static let mostDepth = 3

  /// The extent of the search, as far as it is reported.
  struct Coverage {
    /// The number of orders that were run.
    var orders = 0
    /// The number of these that were drawn at random.
    var random = 0
    /// The number of these that were drawn by priorities.
    var byPriority = 0
    var longest = 0
    /// The maximum number of lines of an order.
    var mostLines = 0
    /// The number of forced switches up to which all orders were run.
    var allForced = -1
    var isComplete = false
    /// The number of orders that were given up because another one shows the same.
    var redundant = 0
    /// True if steps were exchanged that touch nothing in common.
    var isReduced = false
    /// True if threads could take operations in several ways.
    var hasWays = false
    /// True if orders were left out in which a line yields again and again while another waits.
    var isFair = false
    /// The way in which control was lost in some order.
    var departure: String?

    mutating func count(_ ended: Ended) {
      orders += 1
      if ended.trail.footprints.contains(where: { !$0.isEmpty }) { isReduced = true }
      if ended.isFair { isFair = true }
      if ended.trail.on != ended.trail.chosen { hasWays = true }
      if departure == nil { departure = ended.departure }
      longest = max(longest, ended.trail.chosen.count)
      mostLines = max(mostLines, Set(ended.trail.chosen).count)
    }
  }

  /// Explores, on this thread: first the order that failed the last time, if it was kept.
  func explored() -> Exploration {
    if case .replay = search { return exploredAnew() }
    guard let kept = KeptFailure(name, "explore") else { return exploredAnew() }
    if let order = kept.order {
      let ended = replay(order)
      var coverage = Coverage()
      count(ended, in: &coverage)
      if ended.failure?.isOfSubject == true {
        return failedReport(ended, coverage, "the order kept in \(kept.path), which was run first")
      }
    }
    let report = exploredAnew()
    kept.note(report)
    return report
  }

  private func exploredAnew() -> Exploration {
    var coverage = Coverage()
    switch search {
    case .exhaustive(let maxOrders):
      return searched(maxOrders: max(1, maxOrders), &coverage)
    case .sample(let orders):
      var generator = SeededGenerator(seed: seed)
      return sampled(max(1, orders), &generator, &coverage) ?? passedReport(coverage)
    case .replay(let text):
      return replayed(text)
    }
  }

  private func searched(maxOrders: Int, _ coverage: inout Coverage) -> Exploration {
    var search = OrderSearch(limit: maxOrders)
    var generator = SeededGenerator(seed: seed)
    while let forced = search.forced, coverage.orders + coverage.redundant < maxOrders {
      coverage.allForced = forced - 1
      // If there are too many to run them all, every fourth order is drawn at random.
      if coverage.orders % 4 == 3, search.isTruncated || search.waitingCount > maxOrders - coverage.orders {
        if let failed = sampled(1, &generator, &coverage) { return failed }
        continue
      }
      guard let start = search.next() else { break }
      let ended = runOrder(start)
      if ended.run.sharesMore, !sharesMore.load(ordering: .relaxed), ended.failure?.isOfSubject != true {
        // Nothing may be left out: restart from the beginning, without reduction.
        sharesMore.store(true, ordering: .relaxed)
        (search, coverage) = (OrderSearch(limit: maxOrders), Coverage())
        continue
      }
      if ended.failure == .redundant {
        coverage.redundant += 1
        search.add(ended.trail, of: start)
        continue
      }
      count(ended, in: &coverage)
      if let failure = ended.failure {
        // Code that the explorer doesn't control took part.
        if case .notRepeatable = failure, coverage.departure != nil { return passedReport(coverage) }
        let shortest = failure.isOfSubject ? shortest(ended, forced, &search) : ended
        return failedReport(shortest, coverage, found(in: coverage, forced: forced))
      }
      search.add(ended.trail, of: start)
    }
    coverage.isComplete = search.forced == nil && !search.isTruncated && coverage.departure == nil
    return passedReport(coverage)
  }

  /// Searches the other orders with as few forced switches for a shorter one that fails.
  private func shortest(_ first: Ended, _ forced: Int, _ search: inout OrderSearch) -> Ended {
    var best = first
    var left = Self.shorteningOrders
    while left > 0, search.forced == forced, let start = search.next() {
      let ended = runOrder(start)
      // A thread that will never end stays blocked, so there shouldn't be many.
      left -= ended.run.stuckThreads.isEmpty ? 1 : 25
      if ended.failure?.isOfSubject == true {
        if ended.length < best.length { best = ended }
      } else if ended.failure == nil || ended.failure == .redundant {
        search.add(ended.trail, of: start)
      }
    }
    return best
  }

  private func sampled(
    _ orders: Int,
    _ generator: inout SeededGenerator,
    _ coverage: inout Coverage
  ) -> Exploration? {
    for _ in 0..<orders {
      let number = coverage.random
      let ended: Ended
      // Every other order, once their length is known.
      if number % 2 == 1 {
        let depth = 1 + number / 2 % Self.mostDepth
        var order = PriorityOrder(depth: depth, length: coverage.longest, seed: generator.next())
        // In every other three, threads take their operations in the ordinary way where they can: loads return the
        // newest value.
        let isOrdinary = number / 2 / Self.mostDepth % 2 == 0
        var ways = SeededGenerator(seed: generator.next())
        ended = runOrder { trail, choices, run in
          guard run.hasWays(choices) else { return .success(order.choose(at: trail.chosen.count, from: choices)) }
          let actors = Set(choices.map { run.actor(of: $0) }).sorted()
          let actor = order.choose(at: trail.chosen.count, from: actors)
          if isOrdinary, choices.contains(actor) { return .success(actor) }
          return .success(choices.filter { run.actor(of: $0) == actor }.randomElement(using: &ways) ?? 0)
        }
        coverage.byPriority += 1
      } else {
        var numbers = SeededGenerator(seed: generator.next())
        ended = runOrder { _, choices, _ in .success(choices.randomElement(using: &numbers) ?? 0) }
      }
      count(ended, in: &coverage)
      coverage.random += 1
      if let failure = ended.failure {
        let shortest = failure.isOfSubject ? straightened(ended) : ended
        return failedReport(shortest, coverage, found(in: coverage, forced: nil))
      }
    }
    return nil
  }

  /// Removes switches from an order that fails, as long as it fails.
  private func straightened(_ first: Ended) -> Ended {
    var best = first
    var left = Self.shorteningOrders
    var step = 1
    while step < best.trail.chosen.count, left > 0 {
      defer { step += 1 }
      let chosen = best.trail.chosen
      // The previous actor takes its next step first.
      guard chosen[step] != chosen[step - 1], let later = chosen[step...].firstIndex(of: chosen[step - 1]) else {
        continue
      }
      var wanted = chosen
      wanted.insert(wanted.remove(at: later), at: step)
      left -= best.run.stuckThreads.isEmpty ? 1 : 25
      let ended = runOrder { trail, choices, _ in
        while let next = wanted.first, !choices.contains(next) { wanted.removeFirst() }
        if wanted.isEmpty { return .success(OrderSearch.goOn(trail.on.last, choices) ?? 0) }
        return .success(wanted.removeFirst())
      }
      if ended.failure?.isOfSubject == true, ended.length < best.length {
        best = ended
        step = 0
      }
    }
    return best
  }

  private func replayed(_ text: String) -> Exploration {
    guard let lines = OrderText.lines(text) else {
      return report(.unreadable(text), in: nil, Coverage(), "nothing was run")
    }
    let ended = replay(lines)
    var coverage = Coverage()
    count(ended, in: &coverage)
    if ended.failure != nil { return failedReport(ended, coverage, "one order was replayed") }
    return passedReport(coverage, "the one order that was replayed, of \(times(coverage.longest, "step"))")
  }
}

extension Explorer.Ended {
  /// The length of an order for a reader: its steps, then its switches.
  fileprivate var length: (Int, Int) { (trail.chosen.count, trail.switches) }
}
