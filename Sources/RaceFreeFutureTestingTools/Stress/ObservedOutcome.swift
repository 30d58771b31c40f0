// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// An outcome that occurred in a race.
public struct ObservedOutcome<Outcome: Hashable & Sendable>: Sendable {
  /// The outcome.
  public let value: Outcome
  /// The number of rounds in which it occurred.
  public let count: Int
  /// The first of these rounds, counted from 1.
  public let firstRound: Int
  /// The share of all rounds in which it occurred, from 0 to 1.
  public let share: Double
  /// The verdict on the outcome.
  public let verdict: OutcomeVerdict
  /// The meaning of the outcome, from the list of expected outcomes; empty if it has none.
  public let meaning: String
}
