// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The verdict on one outcome of a race, or on all that meet a condition.
///
/// The first entry of the list that matches an outcome counts; an outcome without a match fails the race.
///
/// ```swift
/// [
///   .acceptable("true false", "completed first"),
///   .interesting("false false", "somebody else decided it"),
///   .forbidden("both won", where: { $0.hasPrefix("true true") }),
/// ]
/// ```
public struct ExpectedOutcome<Outcome: Hashable & Sendable>: Sendable {
  /// The verdict on the outcome.
  public let verdict: OutcomeVerdict
  /// The meaning of the outcome, in words.
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

  /// An outcome that may occur.
  ///
  /// If it never occurs, the report says that the stress was too weak for it, and the race fails if
  /// `requiresAllAcceptable` is true.
  public static func acceptable(_ value: Outcome, _ meaning: String = "") -> Self {
    Self(.acceptable, meaning, value: value)
  }

  /// Outcomes that meet a condition, and may occur.
  ///
  /// - Parameters:
  ///   - meaning: Their common meaning, in words.
  ///   - condition: Called on a thread of the race, once for each outcome that occurred.
  /// - Returns: An entry for the list of expected outcomes.
  public static func acceptable(_ meaning: String, where condition: @escaping @Sendable (Outcome) -> Bool) -> Self {
    Self(.acceptable, meaning, condition: condition)
  }

  /// An outcome that may occur and is marked in the report as noteworthy.
  public static func interesting(_ value: Outcome, _ meaning: String = "") -> Self {
    Self(.interesting, meaning, value: value)
  }

  /// Outcomes that meet a condition, may occur, and are marked in the report.
  ///
  /// - Parameters:
  ///   - meaning: Their common meaning, in words.
  ///   - condition: Called on a thread of the race, once for each outcome that occurred.
  /// - Returns: An entry for the list of expected outcomes.
  public static func interesting(_ meaning: String, where condition: @escaping @Sendable (Outcome) -> Bool) -> Self {
    Self(.interesting, meaning, condition: condition)
  }

  /// An outcome that fails the race.
  ///
  /// It would do so without being listed; here it gets a meaning, which the report shows.
  public static func forbidden(_ value: Outcome, _ meaning: String = "") -> Self {
    Self(.forbidden, meaning, value: value)
  }

  /// Outcomes that meet a condition, and fail the race.
  ///
  /// - Parameters:
  ///   - meaning: Their common meaning, in words.
  ///   - condition: Called on a thread of the race, once for each outcome that occurred.
  /// - Returns: An entry for the list of expected outcomes.
  public static func forbidden(_ meaning: String, where condition: @escaping @Sendable (Outcome) -> Bool) -> Self {
    Self(.forbidden, meaning, condition: condition)
  }

  /// Returns true if this entry matches an outcome, regardless of the entries before it.
  func fits(_ outcome: Outcome) -> Bool { condition?(outcome) ?? (value == outcome) }
}
