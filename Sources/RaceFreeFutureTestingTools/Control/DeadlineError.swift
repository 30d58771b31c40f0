// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// An error that is thrown when an event that a test waited for didn't happen in time.
public struct DeadlineError: Error, CustomStringConvertible {
  /// The expectation that wasn't met.
  public let expectation: String

  /// The longest time to wait.
  public let limit: Duration

  /// The file of the wait.
  public let fileID: String

  /// The line of the wait.
  public let line: Int

  /// The actual state; empty if there is no information.
  public let state: String

  /// A description of the expectation, the limit, the place and the actual state.
  public var description: String {
    "\(expectation): not within \(limit), waited for at \(fileID):\(line)" + (state.isEmpty ? "" : "\n\(state)")
  }
}
