// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import RaceFreeFutureTesting

/// The result of a hunt.
struct Find: Sendable {
  let isFound: Bool
  /// The number of the round, order or history or, if nothing was found, their count.
  let count: Int
  let noun: String

  /// The longest time of a hunt.
  static let limit = Duration.seconds(10)

  init(_ isFound: Bool, _ count: Int, _ noun: String) {
    self.isFound = isFound
    self.count = count
    self.noun = noun
  }

  init(_ report: Exploration) { self.init(!report.passed, report.orders, "order") }

  init<Outcome>(_ report: RaceReport<Outcome>) {
    let first = report.outcomes.filter { $0.verdict == .forbidden }.map(\.firstRound).min()
    self.init(!report.passed, first ?? report.rounds, "round")
  }

  init(_ report: LinearizabilityReport) { self.init(!report.passed, report.histories, "history") }

  /// Runs rounds until one fails or the time is up, on a thread of its own.
  static func loop(_ isWrong: @escaping @Sendable () -> Bool) async -> Find {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        let end = ContinuousClock.now.advanced(by: limit)
        var round = 0
        while ContinuousClock.now < end {
          round += 1
          if isWrong() { return continuation.resume(returning: Find(true, round, "round")) }
        }
        continuation.resume(returning: Find(false, round, "round"))
      }
    }
  }
}

/// Runs a block on two threads, as near to each other as Dispatch starts them.
func atOnce(_ body: @Sendable (Int) -> Void) { DispatchQueue.concurrentPerform(iterations: 2, execute: body) }
