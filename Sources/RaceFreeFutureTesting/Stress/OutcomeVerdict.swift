// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// What to think of an outcome of a race.
public enum OutcomeVerdict: String, Hashable, Sendable {
  /// It may come up.
  case acceptable
  /// It may come up, and is worth a look.
  case interesting
  /// It must not come up.
  case forbidden
  /// Nobody said that it may come up, so it must not.
  case unlisted = "not listed"

  /// Whether a race with such an outcome fails.
  public var isFailure: Bool { self == .forbidden || self == .unlisted }
}
