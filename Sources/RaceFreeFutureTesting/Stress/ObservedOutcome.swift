// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// An outcome that came up in a race.
public struct ObservedOutcome<Outcome: Hashable & Sendable>: Sendable {
  /// The outcome.
  public let value: Outcome
  /// In how many rounds it came up.
  public let count: Int
  /// The first of these rounds, counted from 1.
  public let firstRound: Int
  /// In which part of all rounds it came up, from 0 to 1.
  public let share: Double
  /// What to think of it.
  public let verdict: OutcomeVerdict
  /// What it means, as the list of expected outcomes says; empty if it says nothing.
  public let meaning: String
}
