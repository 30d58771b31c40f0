// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// What to think of one outcome of a race, or of all that meet a condition.
///
/// The first entry of the list that fits an outcome counts, and an outcome that none fits fails the race.
///
/// ```swift
/// [
///   .acceptable("true false", "completed first"),
///   .interesting("false false", "somebody else decided it"),
///   .forbidden("both won", where: { $0.hasPrefix("true true") }),
/// ]
/// ```
public struct ExpectedOutcome<Outcome: Hashable & Sendable>: Sendable {
  /// What to think of it.
  public let verdict: OutcomeVerdict
  /// What it means, in words.
  public let meaning: String
  /// The outcome, if it is a single one.
  public let value: Outcome?
  private let condition: (@Sendable (Outcome) -> Bool)?

  private init(
    _ verdict: OutcomeVerdict,
    _ meaning: String,
    value: Outcome? = nil,
    condition: (@Sendable (Outcome) -> Bool)? = nil
  ) {
    self.verdict = verdict
    self.meaning = meaning
    self.value = value
    self.condition = condition
  }

  /// An outcome that may come up.
  ///
  /// If it never does, the report says that the stress was too weak for it; whether that fails the race is up to
  /// `requiresAllAcceptable`.
  public static func acceptable(_ value: Outcome, _ meaning: String = "") -> Self {
    Self(.acceptable, meaning, value: value)
  }

  /// Outcomes that may come up: those that meet a condition.
  ///
  /// - Parameters:
  ///   - meaning: What they have in common, in words.
  ///   - condition: Called on a thread of the race, once for each outcome that came up.
  /// - Returns: An entry for the list of expected outcomes.
  public static func acceptable(_ meaning: String, where condition: @escaping @Sendable (Outcome) -> Bool) -> Self {
    Self(.acceptable, meaning, condition: condition)
  }

  /// An outcome that may come up and is marked in the report, because it is worth a look.
  public static func interesting(_ value: Outcome, _ meaning: String = "") -> Self {
    Self(.interesting, meaning, value: value)
  }

  /// Outcomes that may come up and are marked in the report: those that meet a condition.
  ///
  /// - Parameters:
  ///   - meaning: What they have in common, in words.
  ///   - condition: Called on a thread of the race, once for each outcome that came up.
  /// - Returns: An entry for the list of expected outcomes.
  public static func interesting(_ meaning: String, where condition: @escaping @Sendable (Outcome) -> Bool) -> Self {
    Self(.interesting, meaning, condition: condition)
  }

  /// An outcome that fails the race.
  ///
  /// It would do so without being listed; here it gets a meaning, which the report tells.
  public static func forbidden(_ value: Outcome, _ meaning: String = "") -> Self {
    Self(.forbidden, meaning, value: value)
  }

  /// Outcomes that fail the race: those that meet a condition.
  ///
  /// - Parameters:
  ///   - meaning: What they have in common, in words.
  ///   - condition: Called on a thread of the race, once for each outcome that came up.
  /// - Returns: An entry for the list of expected outcomes.
  public static func forbidden(_ meaning: String, where condition: @escaping @Sendable (Outcome) -> Bool) -> Self {
    Self(.forbidden, meaning, condition: condition)
  }

  /// Whether this is the entry for an outcome, unless one before it is.
  func fits(_ outcome: Outcome) -> Bool { condition?(outcome) ?? (value == outcome) }
}
