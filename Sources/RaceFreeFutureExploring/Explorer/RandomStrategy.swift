// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import RaceFreeFutureTestingTools

/// Draws each choice at random.
final class RandomStrategy: Strategy {
  private var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  func choose(among choices: [Int], in run: OrderRun) throws(OrderFailure) -> Int {
    choices.randomElement(using: &generator) ?? choices[0]
  }
}

/// Draws orders at random: every other one by priorities, once their length is known.
final class SamplingStrategy: Strategy {
  /// The greatest depth of a mistake that orders by priorities should find: the number of steps whose order matters.
  private static let mostDepth = 3

  private var generator: SeededGenerator
  private var current: any Strategy

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
    current = RandomStrategy(seed: seed)
  }

  func begin(after coverage: Explorer.Coverage) -> Bool {
    let round = coverage.random / 2
    if coverage.random.isMultiple(of: 2) {
      current = RandomStrategy(seed: generator.next())
    } else {
      current = PriorityStrategy(
        depth: 1 + round % Self.mostDepth,
        length: coverage.longest,
        // In every other three, threads take their operations in the ordinary way where they can: loads return the
        // newest value.
        isOrdinary: (round / Self.mostDepth).isMultiple(of: 2),
        seed: generator.next()
      )
    }
    return current.begin(after: coverage)
  }

  func choose(among choices: [Int], in run: OrderRun) throws(OrderFailure) -> Int {
    try current.choose(among: choices, in: run)
  }

  func end(_ order: Explorer.Ended) -> Explorer.Ended {
    var order = current.end(order)
    order.origin = current is PriorityStrategy ? .priorities : .random
    return order
  }
}
