// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import RaceFreeFutureTestingTools
internal import Synchronization

extension Explorer {
  /// The extent of the search, as far as it is reported.
  struct Coverage {
    /// The number of orders that were run.
    var orders = 0
    /// The number of these that were drawn at random.
    var random = 0
    /// The check sums of these.
    var drawn: Set<Int> = []
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
    /// The number of orders that can be told apart if tasks share only actors and what is explored; nil: unknown.
    var apart: Int?
    /// True if threads could take operations in several ways.
    var hasWays = false
    /// True if orders were left out in which a line yields again and again while another waits.
    var isFair = false
    /// True if the time was up before all orders were run.
    var isOutOfTime = false
    /// The number of orders that were run by earlier runs of the program.
    var earlier = 0
    /// True if the next run of the program goes on with what is left.
    var goesOn = false
    /// The way in which control was lost in some order.
    var departure: String?
    /// True if others than the explorer ran a part of some order.
    var hasLeft = false
    /// True if more than one could have been next, in some step.
    var hasChoices = false
    var points = Points()
    /// The rules by which orders were left out.
    var rules: Set<SearchRule> = []
    /// The number of orders below which the time was too short for a conclusion.
    var required = 0

    mutating func count(_ ended: Ended) {
      orders += 1
      if ended.origin != .search {
        random += 1
        drawn.insert(ended.trail.checkSum)
      }
      if ended.origin == .priorities { byPriority += 1 }
      if ended.isFair { isFair = true }
      if ended.trail.choices.contains(where: { $0.count > 1 }) { hasChoices = true }
      if ended.trail.on != ended.trail.chosen { hasWays = true }
      points.add(ended.points)
      if ended.hasLeft { hasLeft = true }
      rules.formUnion(ended.rules)
      if departure == nil { departure = ended.departure }
      longest = max(longest, ended.trail.chosen.count)
      mostLines = max(mostLines, Set(ended.trail.chosen).count)
    }
  }

  /// Explores, on this thread: first the order that failed the last time, if it was kept.
  func explored() -> Exploration {
    switch search {
    case .replay, .once: return exploredAnew()
    case .exhaustive, .sample: break
    }
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

  var isOfTasks: Bool { if case .body = subject { true } else { false } }

  private func exploredAnew() -> Exploration {
    var coverage = Coverage()
    let start = ContinuousClock.now
    switch search {
    case .exhaustive(let most):
      let maxOrders = most ?? Search.usualOrders(ofTasks: isOfTasks)
      coverage.required = maxOrders / 2
      return searched(maxOrders: max(1, maxOrders), since: start, &coverage)
    case .sample(let orders):
      coverage.required = orders / 2
      let sampling = SamplingStrategy(seed: seed, ways)
      while coverage.orders < max(1, orders), !isOver(since: start, &coverage) {
        if let failed = sampled(sampling, &coverage) { return failed }
      }
      return passedReport(coverage)
    case .replay(let text):
      return replayed(text)
    case .once:
      return ranOnce(&coverage)
    }
  }

  private func searched(
    maxOrders: Int,
    since began: ContinuousClock.Instant,
    _ coverage: inout Coverage
  ) -> Exploration {
    var systematic = SystematicStrategy(limit: maxOrders, part: part)
    var hasLooked = false
    var (waitingAtHalf, grows) = (Int?.none, false)
    var checkpoint = Checkpoint(name, part, every: interval)
    defer { if !coverage.goesOn { checkpoint?.remove() } }
    if var archive = checkpoint?.archive { pass(systematic, &coverage, &hasLooked, through: &archive) }
    coverage.earlier = coverage.orders
    var known: Set<Int> = []
    // Where a search is shared out, or goes on from one run to the next, all orders are in one sequence.
    if part == nil, checkpoint == nil, maxSwitches == nil {
      hasLooked = true
      if let report = lookedAtTasks(atMost: maxOrders, since: began, &coverage, &known) { return report }
    }
    // Each part of a search, and each run, draws others.
    let sampling = SamplingStrategy(seed: seed &+ UInt64(part?.number ?? 0) &+ UInt64(coverage.earlier), ways)
    while let forced = systematic.forced, coverage.orders < maxOrders, !isOver(since: began, &coverage) {
      if checkpoint?.isDue == true { _ = note(systematic, &coverage, &hasLooked, in: &checkpoint) }
      coverage.allForced = forced - 1
      if let maxSwitches, forced > max(0, maxSwitches) { break }
      // If as many are known to be left after three quarters as after the half, there is no end of them.
      if waitingAtHalf == nil, coverage.orders >= maxOrders / 2 { waitingAtHalf = systematic.waitingCount }
      let isLate = coverage.orders >= maxOrders / 4 * 3
      if let waitingAtHalf, waitingAtHalf > 0, isLate, systematic.waitingCount >= waitingAtHalf { grows = true }
      let areMore = grows || systematic.isTruncated || systematic.waitingCount > maxOrders - coverage.orders
      let areTooMany = maxSwitches == nil && areMore
      // If there are too many to run them all, a quarter is drawn at random; some are where many races are known,
      // because a mistake that the search comes to late is mostly shown by many orders.
      let isEarly = systematic.hasManyRaces && coverage.random < maxOrders / Self.ordersForEachDrawn
      let isDrawn = areTooMany && coverage.random < (coverage.orders + 1) / 4 || isEarly && maxSwitches == nil
      if isDrawn, !ways.isEmpty {
        if let failed = sampled(sampling, &coverage) { return failed }
        continue
      }
      if !hasLooked, areTooMany {
        hasLooked = true
        let most = coverage.orders + maxOrders / 4
        if let report = lookedAtTasks(atMost: most, since: began, &coverage, &known) { return report }
      }
      guard systematic.begin(after: coverage) else { break }
      let ended = runOrder(systematic)
      if ended.run.sharesMore, !sharesMore.load(ordering: .relaxed), ended.failure?.isOfSubject != true {
        // Nothing may be left out: restart from the beginning, without reduction.
        sharesMore.store(true, ordering: .relaxed)
        systematic = SystematicStrategy(limit: maxOrders, part: part)
        coverage = Coverage(required: maxOrders / 2)
        continue
      }
      let sees = seesTasks.load(ordering: .relaxed)
      if sees ? ended.isFair || ended.departure != nil : ended.isAllExplored && !hasLooked {
        // Restarted, as the body states, or because it may have left out something after all.
        seesTasks.store(!sees, ordering: .relaxed)
        (systematic, hasLooked) = (SystematicStrategy(limit: maxOrders, part: part), true)
        coverage = Coverage(required: maxOrders / 2)
        continue
      }
      if ended.failure == .redundant || ended.failure == nil && systematic.isOfOthers {
        coverage.redundant += 1
        continue
      }
      // It is one of those that were run first.
      if ended.failure == nil, known.contains(ended.trail.chosen.hashValue) { continue }
      count(ended, in: &coverage)
      sampling.learn(ended.trail)
      if let failure = ended.failure {
        // Code that the explorer doesn't control took part.
        if case .notRepeatable = failure, coverage.departure != nil { return passedReport(coverage) }
        let shortest = failure.isOfSubject ? shortest(ended, forced, systematic, coverage) : ended
        return failedReport(shortest, coverage, found(in: coverage, forced: forced))
      }
    }
    if coverage.isOutOfTime { coverage.goesOn = note(systematic, &coverage, &hasLooked, in: &checkpoint) }
    coverage.isReduced = systematic.isReducing
    coverage.isComplete = systematic.forced == nil && !systematic.isTruncated && coverage.departure == nil
    // Those that were drawn are among all.
    if coverage.isComplete { coverage.orders -= coverage.random }
    return passedReport(coverage)
  }

  /// Notes what is left of a search for the next run of the program; returns false if it isn't to go on.
  private func note(
    _ systematic: SystematicStrategy,
    _ coverage: inout Coverage,
    _ hasLooked: inout Bool,
    in checkpoint: inout Checkpoint?
  ) -> Bool {
    if checkpoint == nil { return false }
    var archive = Archive()
    pass(systematic, &coverage, &hasLooked, through: &archive)
    return checkpoint?.note(archive) ?? false
  }

  /// Writes the state of a search, or replaces it by what was written.
  private func pass(
    _ systematic: SystematicStrategy,
    _ coverage: inout Coverage,
    _ hasLooked: inout Bool,
    through archive: inout Archive
  ) {
    systematic.pass(through: &archive)
    coverage.pass(through: &archive)
    archive.pass(&hasLooked)
    var (shares, sees) = (sharesMore.load(ordering: .relaxed), seesTasks.load(ordering: .relaxed))
    archive.pass(&shares)
    archive.pass(&sees)
    sharesMore.store(shares, ordering: .relaxed)
    seesTasks.store(sees, ordering: .relaxed)
  }

  /// Runs the orders of tasks that can be told apart if these share only actors and what is explored: the most valuable
  /// ones, and mostly few.
  ///
  /// - Parameters:
  ///   - most: The number of orders of the whole exploration up to which they are run.
  ///   - began: The time at which it began.
  ///   - coverage: Its extent so far.
  ///   - known: The check sums of the orders that were run here.
  /// - Returns: The report if one fails, or if no others are to be run.
  private func lookedAtTasks(
    atMost most: Int,
    since began: ContinuousClock.Instant,
    _ coverage: inout Coverage,
    _ known: inout Set<Int>
  ) -> Exploration? {
    guard case .body = subject, TaskLayout.known != nil, reduces.load(ordering: .relaxed) else { return nil }
    seesTasks.store(true, ordering: .relaxed)
    defer { seesTasks.store(false, ordering: .relaxed) }
    let systematic = SystematicStrategy(limit: most)
    // Without the statement, half of the orders are for those that differ in something else.
    var (limit, count, isAllExplored) = (coverage.orders + (most - coverage.orders) / 2, 0, false)
    while coverage.orders < limit, let forced = systematic.forced, !isOver(since: began, &coverage) {
      coverage.allForced = isAllExplored ? forced - 1 : -1
      guard systematic.begin(after: coverage) else { break }
      let ended = runOrder(systematic)
      if ended.isAllExplored, !isAllExplored { (isAllExplored, limit) = (true, most) }
      // It may have left out something after all.
      if ended.isFair || ended.departure != nil, ended.failure?.isOfSubject != true { return nil }
      if ended.failure == .redundant {
        coverage.redundant += 1
        continue
      }
      count += 1
      known.insert(ended.trail.chosen.hashValue)
      self.count(ended, in: &coverage)
      if let failure = ended.failure {
        let shortest = failure.isOfSubject ? shortest(ended, forced, systematic, coverage) : ended
        return failedReport(shortest, coverage, found(in: coverage, forced: forced))
      }
    }
    let isComplete = systematic.forced == nil && !systematic.isTruncated
    if isComplete { coverage.apart = count }
    guard isAllExplored, isComplete || coverage.orders >= most || coverage.isOutOfTime else { return nil }
    (coverage.isReduced, coverage.isComplete) = (true, isComplete)
    return passedReport(coverage)
  }

  /// Searches the other orders with as few forced switches for a shorter one that fails.
  private func shortest(_ first: Ended, _ forced: Int, _ strategy: SystematicStrategy, _ coverage: Coverage) -> Ended {
    var best = first
    var left = Self.shorteningOrders
    while left > 0, strategy.forced == forced, strategy.begin(after: coverage) {
      let ended = runOrder(strategy)
      // A thread that will never end stays blocked, so there shouldn't be many.
      left -= ended.run.stuckThreads.isEmpty ? 1 : 25
      if ended.failure?.isOfSubject == true, ended.length < best.length { best = ended }
    }
    return best
  }

  /// Runs an order that is drawn at random; returns the report if it fails.
  private func sampled(_ sampling: SamplingStrategy, _ coverage: inout Coverage) -> Exploration? {
    _ = sampling.begin(after: coverage)
    let ended = runOrder(isDrawn: true, sampling)
    count(ended, in: &coverage)
    guard let failure = ended.failure else { return nil }
    let shortest = failure.isOfSubject ? straightened(ended) : ended
    return failedReport(shortest, coverage, found(in: coverage, forced: nil))
  }

  /// Removes switches from an order that fails, as long as it fails.
  ///
  /// At each switch the previous actor takes all its further steps first or, if that is too much, the next one.
  private func straightened(_ first: Ended) -> Ended {
    var best = first
    var left = Self.shorteningOrders
    var length: (Int, Int, Int)
    repeat {
      length = best.length
      var step = 1
      while step < best.trail.chosen.count, left > 0 {
        for takesAll in [true, false] where step < best.trail.chosen.count {
          let (chosen, before) = (best.trail.chosen, best.trail.chosen[step - 1])
          guard chosen[step] != before, let next = chosen[step...].firstIndex(of: before) else { break }
          let rest = takesAll ? chosen[step...] : chosen[step...next]
          let wanted = chosen[..<step] + rest.filter { $0 == before } + rest.filter { $0 != before }
          left -= best.run.stuckThreads.isEmpty ? 1 : 25
          let ended = runOrder(
            isAlone: best.departure == nil,
            NearestStrategy(wanted + (takesAll ? [] : chosen[(next + 1)...]))
          )
          if ended.failure?.isOfSubject == true, ended.length < best.length { best = ended }
        }
        step += 1
      }
    } while left > 0 && best.length < length
    return best
  }

  /// Returns the last step of an order that fails at which another choice leads to an order that doesn't fail; nil if none
  /// is found.
  ///
  /// The one that is chosen instead continues as long as it can: that is the order that passes.
  func deciding(in failed: Ended) -> (step: Int, passing: [Int])? {
    let trail = failed.trail
    var left = Self.decidingOrders
    for step in trail.chosen.indices.reversed() {
      for choice in trail.choices[step] where choice != trail.chosen[step] {
        guard left > 0 else { return nil }
        let ended = runOrder(
          isAlone: failed.departure == nil,
          NearestStrategy(trail.chosen[..<step] + [choice])
        )
        if ended.failure == nil { return (step, ended.trail.chosen) }
        // Whatever waits in an order stays suspended or blocked.
        left -= ended.run.isAbandoned ? 5 : 1
      }
    }
    return nil
  }

  private func ranOnce(_ coverage: inout Coverage) -> Exploration {
    let ended = runOrder(isRecorded: true, FirstComeStrategy())
    count(ended, in: &coverage)
    let words = "one order, in which who could continue first did, and nobody was interrupted"
    if ended.failure != nil { return failedReport(ended, coverage, words) }
    // No other order was to be tried.
    (coverage.points, coverage.hasChoices) = (Points(), true)
    return passedReport(coverage, "\(words), of \(times(coverage.longest, "step"))")
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
  /// The length of an order for a reader: first whether all operations are taken in the ordinary way, then its steps, then
  /// its switches.
  fileprivate var length: (Int, Int, Int) { (trail.on == trail.chosen ? 0 : 1, trail.chosen.count, trail.switches) }
}
