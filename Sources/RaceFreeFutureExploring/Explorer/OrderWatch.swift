// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// Decides whether a step takes too long, by checks in equal intervals.
///
/// Only while an order runs: the search between two orders, and the release of what it has kept, is the explorer's own
/// work. While the machine sleeps there are no checks.
struct OrderWatch {
  /// The number of checks without progress after which a step has taken too long.
  static let mostChecks = 10

  private var steps = -1
  private var checks = 0

  /// Notes a check.
  ///
  /// - Parameters:
  ///   - steps: The number of steps so far.
  ///   - isInOrder: True if the scenario's code may be running.
  /// - Returns: True if the step takes too long.
  mutating func isStuck(after steps: Int, isInOrder: Bool) -> Bool {
    checks = isInOrder && self.steps == steps ? checks + 1 : 0
    self.steps = steps
    return checks >= Self.mostChecks
  }
}
