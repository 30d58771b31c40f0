// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The outcome of a race that consists of several values.
///
/// A tuple that can be compared and counted; expected outcomes are written as plain tuples:
///
/// ```swift
/// outcome: { _, completed, cancelled in Outcomes(completed, cancelled) },
/// expect: [.acceptable((true, false), "completed first"), .acceptable((false, true), "cancelled first")]
/// ```
public struct Outcomes<each Part: Hashable & Sendable>: Hashable, Sendable, CustomStringConvertible {
  /// The values.
  public let values: (repeat each Part)

  /// Creates an outcome of values.
  public init(_ values: repeat each Part) { self.values = (repeat each values) }

  /// Returns true if all values are equal.
  public static func == (one: Self, other: Self) -> Bool {
    for (value, another) in repeat (each one.values, each other.values) {
      if value != another { return false }
    }
    return true
  }

  /// Hashes all values.
  public func hash(into hasher: inout Hasher) {
    for value in repeat each values { value.hash(into: &hasher) }
  }

  /// The values in parentheses, as in `(true, 7)`.
  public var description: String {
    var texts: [String] = []
    for value in repeat each values { texts.append(readable(value)) }
    return "(\(texts.joined(separator: ", ")))"
  }
}

extension ExpectedOutcome {
  /// An outcome of several values that may occur.
  public static func acceptable<each Part>(_ values: (repeat each Part), _ meaning: String = "") -> Self
  where Outcome == Outcomes<repeat each Part> { acceptable(Outcomes(repeat each values), meaning) }

  /// An outcome of several values that may occur and is marked in the report.
  public static func interesting<each Part>(_ values: (repeat each Part), _ meaning: String = "") -> Self
  where Outcome == Outcomes<repeat each Part> { interesting(Outcomes(repeat each values), meaning) }

  /// An outcome of several values that fails the race.
  public static func forbidden<each Part>(_ values: (repeat each Part), _ meaning: String = "") -> Self
  where Outcome == Outcomes<repeat each Part> { forbidden(Outcomes(repeat each values), meaning) }
}

extension RaceReport {
  /// Returns the number of rounds in which an outcome of several values occurred.
  public func count<each Part>(of values: (repeat each Part)) -> Int where Outcome == Outcomes<repeat each Part> {
    count(of: Outcomes(repeat each values))
  }
}
