// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// Says that the ``ValueFuture/future`` of a value future was completed by itself, without a value.
///
/// Complete a value future with ``ValueFuture/complete(with:)-(Value)``. If its value is `Void`, completing the future
/// itself is as good.
public struct MissingValueError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Makes the error, for comparisons.
  public init() {}

  /// One sentence, for people.
  public var description: String { "completed without a value: use complete(with:) of the value future" }
}
