// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The steps of each line in one order: an estimate of what the lines do in others.
///
/// Pure: it runs no code.
struct OrderProfile {
  /// What the steps of each line used.
  private var steps: [Int: [Footprint]] = [:]
  /// The lines in the sequence of their first steps.
  private var lines: [Int] = []
  /// The lines whose first work each line made.
  private(set) var children: [Int: [Int]] = [:]
  /// The things that several lines use, one of which changes them.
  let shared: [Footprint.Thing]

  init(_ trail: OrderTrail) {
    var users: [Footprint.Thing: (lines: Set<Int>, areChanging: Bool)] = [:]
    for step in 0..<trail.count {
      let line = trail.on[step]
      if steps[line] == nil {
        lines.append(line)
        let maker = trail.makers[step].first.map { trail.on[$0] }
        if let maker, maker != line { children[maker, default: []].append(line) }
      }
      steps[line, default: []].append(trail.footprints[step])
      for (thing, use) in trail.footprints[step].uses {
        users[thing, default: ([], false)].lines.insert(line)
        if use != .read { users[thing]?.areChanging = true }
      }
    }
    // The same each time for the same seed.
    shared = users.filter { $1.lines.count > 1 && $1.areChanging }.keys.sorted { "\($0)" < "\($1)" }
  }

  /// Returns what a step of a line used; nil if it had fewer.
  func footprint(of line: Int, at index: Int) -> Footprint? {
    steps[line].flatMap { index < $0.count ? $0[index] : nil }
  }

  /// The numbers of steps that lines have ahead of them, each with those of the lines that it makes.
  struct Counts {
    /// The steps of each line, and of all lines that it makes, from the beginning.
    fileprivate var totals: [Int: Int] = [:]
    /// The steps of each line from each of its steps on.
    fileprivate var ahead: [Int: [Int]] = [:]
  }

  /// Counts the steps that use a thing; nil: all.
  func counts(of thing: Footprint.Thing?) -> Counts {
    var counts = Counts()
    // Those that a line makes come after it.
    for line in lines.reversed() {
      var (sum, ahead) = (0, [0])
      for footprint in (steps[line] ?? []).reversed() {
        if footprint.mayUse(thing) { sum += 1 }
        ahead.append(sum)
      }
      counts.ahead[line] = ahead.reversed()
      counts.totals[line] = (children[line] ?? []).reduce(sum) { $0 + counts.totals[$1, default: 0] }
    }
    return counts
  }

  /// Returns the number of steps that a line has ahead of it.
  ///
  /// - Parameters:
  ///   - line: The line.
  ///   - index: The number of steps that it has taken.
  ///   - known: The lines that have begun, or can.
  ///   - counts: The steps that count.
  /// - Returns: The number, with those of the lines that it makes and that aren't known.
  func ahead(of line: Int, at index: Int, besides known: (Int) -> Bool, _ counts: Counts) -> Int {
    let own = counts.ahead[line].map { index < $0.count ? $0[index] : 0 } ?? 0
    return (children[line] ?? []).reduce(own) { known($1) ? $0 : $0 + counts.totals[$1, default: 0] }
  }
}

extension Footprint {
  /// Returns true if it may use a thing; nil: whatever it is.
  func mayUse(_ thing: Thing?) -> Bool {
    guard let thing else { return true }
    return isAnything || uses.contains { $0.thing == thing }
  }
}
