// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The verdict on an outcome of a race.
public enum OutcomeVerdict: String, Hashable, Sendable {
  /// The outcome may occur.
  case acceptable
  /// The outcome may occur, and is noteworthy.
  case interesting
  /// The outcome must not occur.
  case forbidden
  /// The outcome isn't listed, so it must not occur.
  case unlisted = "not listed"

  /// True if a race with such an outcome fails.
  public var isFailure: Bool { self == .forbidden || self == .unlisted }
}
