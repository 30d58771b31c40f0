// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The choices of an order, with their alternatives, and what its steps used.
struct OrderTrail {
  private(set) var chosen: [Int] = []
  /// The line that runs after each step: the chosen one, or the one that continues in another way by that choice.
  private(set) var on: [Int] = []
  private(set) var choices: [[Int]] = []
  /// What the steps used, as far as they have been taken.
  private(set) var footprints: [Footprint] = []
  /// The steps that each comes after in any case, besides that before it in its line: those that made its work.
  private(set) var makers: [[Int]] = []
  /// The lines of threads, by the choices that represent other ways of their steps.
  var ways: [Int: Int] = [:]

  var count: Int { chosen.count }

  mutating func append(
    _ line: Int,
    for actor: Int? = nil,
    of choices: [Int],
    _ footprint: Footprint = .anything,
    madeBy maker: Int = -1
  ) {
    chosen.append(line)
    on.append(actor ?? line)
    self.choices.append(choices)
    footprints.append(footprint)
    makers.append(maker < 0 ? [] : [maker])
  }

  /// Adds to the things that the running step uses.
  mutating func use(_ footprint: Footprint) {
    if let last = footprints.indices.last { footprints[last].add(footprint) }
  }

  /// Notes that the running step comes after another one in every order in which it is possible.
  mutating func comes(after step: Int) {
    if let last = makers.indices.last, step >= 0, step < last { makers[last].append(step) }
  }

  /// Notes that the running step uses something that had no number before.
  mutating func usesSomethingNew() {
    if let last = footprints.indices.last { footprints[last].isFresh = true }
  }

  /// Returns the line that runs after a choice.
  func actor(of choice: Int) -> Int { ways[choice] ?? choice }

  /// The number of times that another line was chosen.
  var switches: Int { zip(on, on.dropFirst()).count { $0 != $1 } }

  /// True if the last step was taken by another line, although the one before could have continued.
  var hasForced: Bool {
    guard count > 1, let choices = choices.last, on[count - 1] != on[count - 2] else { return false }
    return choices.contains { actor(of: $0) == on[count - 2] }
  }

  /// A check sum of the choices, the same in each run of the program.
  var checkSum: Int { chosen.reduce(chosen.count) { $0 &* 0x100_0000_01b3 ^ $1 } }

  /// Returns the same trail up to a step.
  func prefix(_ count: Int) -> OrderTrail {
    var prefix = OrderTrail()
    for step in 0..<count {
      prefix.append(chosen[step], for: on[step], of: choices[step], footprints[step])
      prefix.makers[step] = makers[step]
    }
    prefix.ways = ways
    return prefix
  }
}
