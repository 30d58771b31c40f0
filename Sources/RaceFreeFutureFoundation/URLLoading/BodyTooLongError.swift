// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// A failure of a transfer whose body is longer than the caller allowed; the transfer is stopped.
public struct BodyTooLongError: Error, Hashable, Sendable, CustomStringConvertible {
  /// How many bytes were allowed.
  public let limit: Int64
  /// How many bytes the response promised; nil if it promised nothing, or no more than the limit, and more came.
  public let expected: Int64?

  /// Makes an error: for tests of code that catches one.
  ///
  /// - Parameters:
  ///   - limit: How many bytes were allowed.
  ///   - expected: How many bytes the response promised, if that is more.
  public init(limit: Int64, expected: Int64? = nil) {
    self.limit = limit
    self.expected = expected
  }

  /// One sentence, for people.
  public var description: String {
    if let expected { return "the body has \(expected) bytes, and \(limit) are allowed" }
    return "the body has more than \(limit) bytes, which are allowed"
  }
}
