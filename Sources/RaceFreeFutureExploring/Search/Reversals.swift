// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// Finds the pairs of steps in an order that are in a race: the result may depend on which comes first, and no step
/// between them decides that.
///
/// A step *happens before* another one if they can't be exchanged, whatever lies between: they are of one line, one
/// makes the other, they use the same thing and one of them changes it, or a chain of such steps connects them. Each
/// step has a clock: for each line the number of its steps that happen before. (Source sets: Abdulla, Aronis, Jonsson
/// and Sagonas, "Optimal dynamic partial order reduction", 2014.)
///
/// A step that may have to wait is in a race with *each* earlier step that it conflicts with. That one may have made it
/// impossible, until another one has made it possible again: then it could have come before both, although the second
/// lies between and decides. (A lock is given back by each step that took it: a step that could take it before all of
/// these could also take it between the last two, so the last one is enough.) A step that is still impossible when
/// nothing is left to do is no race: that order has failed.
///
/// Pure: it runs no code.
struct Reversals {
  /// An order to be begun: up to a step of this one, and then the other way round.
  struct Reversal: Equatable {
    /// The step before which the other one is to be taken.
    let step: Int
    /// Any of these choices begins it; the preferred one comes first.
    let beginnings: [Int]
  }

  private let trail: OrderTrail
  /// The lines, numbered from 0 in the sequence of their first steps.
  private var numbers: [Int: Int] = [:]
  private var clocks: [[Int32]] = []
  /// For each step the number of its line, its place among the steps of it, and the step before it there.
  private var places: [(line: Int, index: Int32, last: Int)] = []
  /// A step that uses a thing, and how.
  private typealias User = (step: Int, use: Footprint.Use)
  /// The users of each thing, line by line, and the steps that may use anything.
  private var users: [Footprint.Thing: [[User]]] = [:]
  private var usersOfAnything: [Int] = []
  private(set) var found: [Reversal] = []

  /// Finds the races of the steps from one on; those before it have been found in another order.
  init(in trail: OrderTrail, from first: Int) {
    self.trail = trail
    var latest: [Int] = []
    for step in 0..<trail.count {
      let line = number(of: trail.on[step])
      if line == latest.count { latest.append(-1) }
      let last = latest[line]
      latest[line] = step
      add(step, line, after: last, reverses: step >= first)
    }
  }

  private mutating func number(of line: Int) -> Int {
    if let known = numbers[line] { return known }
    numbers[line] = numbers.count
    return numbers.count - 1
  }

  private mutating func add(_ step: Int, _ line: Int, after last: Int, reverses: Bool) {
    let footprint = trail.footprints[step]
    let (base, rivals) = context(step, footprint, after: last)
    var clock = clock(base, rivals)
    let index = last < 0 ? 1 : places[last].index + 1
    Self.raise(&clock, line, to: index)
    places.append((line, index, last))
    clocks.append(clock)
    if reverses {
      reverse(
        rivals,
        Step(
          place: step,
          line: trail.on[step],
          choice: trail.chosen[step],
          footprint: footprint,
          clock: clock
        )
      )
    }
    if footprint.isAnything { usersOfAnything.append(step) }
    for (thing, use) in footprint.uses { Self.add((step, use), line, to: &users[thing, default: []]) }
  }

  private static func add(_ user: User, _ line: Int, to lines: inout [[User]]) {
    while lines.count <= line { lines.append([]) }
    lines[line].append(user)
  }

  // MARK: What happens before

  /// Returns the clock of what happens before a step in any case, and the steps that conflict with it, the last first.
  private func context(
    _ step: Int,
    _ footprint: Footprint,
    after last: Int
  ) -> (base: [Int32], rivals: [Int]) {
    var base = last < 0 ? [] : clocks[last]
    for maker in trail.makers[step] { Self.join(&base, clocks[maker]) }
    if footprint.isAnything { return (base, (0..<step).reversed().filter { !happens($0, before: base) }) }
    var rivals = usersOfAnything.filter { !happens($0, before: base) }
    for (thing, use) in footprint.uses {
      for line in users[thing] ?? [] {
        // What is earlier on the line happens before, too.
        for user in line.reversed() {
          if happens(user.step, before: base) { break }
          if use.conflicts(with: user.use) { rivals.append(user.step) }
        }
      }
    }
    return (base, rivals.count < 2 ? rivals : Set(rivals).sorted(by: >))
  }

  private func clock(_ base: [Int32], _ rivals: [Int]) -> [Int32] {
    var clock = base
    for rival in rivals where !happens(rival, before: clock) { Self.join(&clock, clocks[rival]) }
    return clock
  }

  private func happens(_ step: Int, before clock: [Int32]) -> Bool {
    let (line, index, _) = places[step]
    return line < clock.count && clock[line] >= index
  }

  private static func join(_ clock: inout [Int32], _ other: [Int32]) {
    for (line, index) in other.enumerated() { raise(&clock, line, to: index) }
  }

  private static func raise(_ clock: inout [Int32], _ line: Int, to index: Int32) {
    while clock.count <= line { clock.append(0) }
    clock[line] = max(clock[line], index)
  }

  // MARK: The other way round

  /// A step that is looked at.
  private struct Step {
    let place: Int
    let line: Int
    let choice: Int
    let footprint: Footprint
    let clock: [Int32]
  }

  /// Notes the orders in which a step comes before one that it conflicts with.
  private mutating func reverse(_ rivals: [Int], _ step: Step) {
    var reversed: [Int] = []
    for rival in rivals where !reversed.contains(where: { happens(rival, before: clocks[$0]) }) {
      let other = trail.footprints[rival]
      guard other.mayComeLater(than: step.footprint) else { continue }
      note(step, before: rival)
      if !step.footprint.mayWait || step.footprint.isTaking && other.isTaking { reversed.append(rival) }
    }
  }

  /// Notes that a step, after all others that it needs, is to come before an earlier one.
  private mutating func note(_ step: Step, before rival: Int) {
    // The steps in between that don't depend on the earlier one, and those of them that could be the first.
    var needed: [Int] = []
    var first: [(line: Int, choice: Int)] = []
    for other in (rival + 1)..<max(rival + 1, step.place) where !happens(rival, before: clocks[other]) {
      if !needed.contains(where: { happens($0, before: clocks[other]) }) {
        first.append((trail.on[other], trail.chosen[other]))
      }
      needed.append(other)
    }
    if !needed.contains(where: { happens($0, before: step.clock) }) { first.append((step.line, step.choice)) }
    let possible = first.filter { beginning in
      trail.choices[rival].contains { trail.actor(of: $0) == beginning.line }
    }
    // Nothing else could make it possible there.
    if needed.isEmpty, possible.isEmpty, step.footprint.mayWait { return }
    if possible.isEmpty {
      // Something else prevents it there: then all that can be tried is.
      let others = trail.choices[rival].filter { trail.actor(of: $0) != trail.on[rival] }
      for choice in others { found.append(Reversal(step: rival, beginnings: [choice])) }
      return
    }
    let preferred = possible.filter { $0.line == step.line } + possible.filter { $0.line != step.line }
    let reversal = Reversal(step: rival, beginnings: preferred.map(\.choice))
    if found.last != reversal { found.append(reversal) }
  }
}
