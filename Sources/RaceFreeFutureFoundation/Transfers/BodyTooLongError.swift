// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// A failure of a transfer whose body is longer than the caller allowed; the transfer is stopped.
public struct BodyTooLongError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The number of bytes that were allowed.
  public let limit: Int64
  /// The number of bytes that the response promised; nil if it promised none, or no more than the limit and more
  /// arrived.
  public let expected: Int64?

  /// Creates an error, for tests of code that catches one.
  ///
  /// - Parameters:
  ///   - limit: The number of bytes that were allowed.
  ///   - expected: The number of bytes that the response promised, if that is more.
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
