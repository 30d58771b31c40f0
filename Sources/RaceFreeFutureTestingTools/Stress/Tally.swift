// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The counts of the outcomes of a race.
struct Tally<Outcome: Hashable & Sendable>: Sendable {
  private(set) var entries: [Entry] = []
  private var places: [Outcome: Int] = [:]

  struct Entry: Sendable {
    let value: Outcome
    let firstRound: Int
    var count = 1
  }

  /// Counts an outcome of a round.
  mutating func add(_ outcome: Outcome, round: Int) {
    // Most races have a handful of outcomes, and comparing with those is quicker than a lookup.
    for place in entries.indices.prefix(6) where entries[place].value == outcome {
      entries[place].count += 1
      return
    }
    if let place = places[outcome] {
      entries[place].count += 1
    } else {
      places[outcome] = entries.count
      entries.append(Entry(value: outcome, firstRound: round))
    }
  }

  /// Returns the outcomes with their verdicts, in the order of the list of expected outcomes, and the entries of the
  /// list that are missing.
  func judged(
    by expected: [ExpectedOutcome<Outcome>]
  ) -> (observed: [ObservedOutcome<Outcome>], unseen: [ExpectedOutcome<Outcome>]) {
    let total = entries.reduce(0) { $0 + $1.count }
    let ranked = entries.map { entry in (rank: expected.firstIndex { $0.fits(entry.value) }, entry: entry) }
    let sorted = ranked.sorted { one, other in
      (one.rank ?? .max, other.entry.count, one.entry.firstRound)
        < (other.rank ?? .max, one.entry.count, other.entry.firstRound)
    }
    let observed = sorted.map { rank, entry in
      ObservedOutcome(
        value: entry.value,
        count: entry.count,
        firstRound: entry.firstRound,
        share: Double(entry.count) / Double(total),
        verdict: rank.map { expected[$0].verdict } ?? .unlisted,
        meaning: rank.map { expected[$0].meaning } ?? ""
      )
    }
    let seen = Set(ranked.compactMap(\.rank))
    let unseen = expected.indices.filter { !seen.contains($0) && expected[$0].verdict != .forbidden }
    return (observed, unseen.map { expected[$0] })
  }
}
