// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import RaceFreeFutureTestingTools

/// Draws the line that continues at each step of an order.
protocol LineDraw: AnyObject {
  func line(of lines: [Int], in run: OrderRun) -> Int
}

/// Draws orders at random, in several ways in turn.
final class SamplingStrategy: Strategy {
  /// The greatest depth of a mistake that orders by priorities should find: the number of steps whose order matters.
  private static let mostDepth = 3

  private let ways: [Search.Way]
  private var generator: SeededGenerator
  private var way = Search.Way.uniform
  private var draw: (any LineDraw)?
  /// What the longest order did.
  private var profile: OrderProfile?
  private var longest = 0
  /// True if threads take their operations in the ordinary way where they can.
  private var isOrdinary = false

  init(seed: UInt64, _ ways: [Search.Way]) {
    generator = SeededGenerator(seed: seed)
    self.ways = ways
  }

  func begin(after coverage: Explorer.Coverage) -> Bool {
    let round = coverage.random / ways.count
    way = ways[coverage.random % ways.count]
    // In every other three, loads return the newest value.
    isOrdinary = way != .uniform && (round / Self.mostDepth).isMultiple(of: 2)
    let seed = generator.next()
    switch (way, profile) {
    case (.priorities, _):
      draw = PriorityDraw(depth: 1 + round % Self.mostDepth, length: coverage.longest, seed: seed)
    case (.conflicts, let profile?): draw = ConflictDraw(profile, seed: seed)
    case (.weights, let profile?): draw = WeightedDraw(profile, seed: seed)
    default: draw = nil
    }
    return true
  }

  func choose(among choices: [Int], in run: OrderRun) throws(OrderFailure) -> Int {
    guard let draw else { return choices.randomElement(using: &generator) ?? choices[0] }
    guard run.hasWays(choices) else { return draw.line(of: choices, in: run) }
    let line = draw.line(of: Set(choices.map { run.actor(of: $0) }).sorted(), in: run)
    if isOrdinary, choices.contains(line) { return line }
    return choices.filter { run.actor(of: $0) == line }.randomElement(using: &generator) ?? choices[0]
  }

  /// Notes what the lines do, if this order is the longest yet: so the most is known of each.
  func learn(_ trail: OrderTrail) {
    guard trail.count > longest else { return }
    (profile, longest) = (OrderProfile(trail), trail.count)
  }

  func end(_ order: Explorer.Ended) -> Explorer.Ended {
    learn(order.trail)
    var order = order
    order.origin = way == .priorities ? .priorities : .random
    return order
  }
}
