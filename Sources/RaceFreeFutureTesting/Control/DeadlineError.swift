// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// Thrown when something that a test waited for didn't happen in time.
public struct DeadlineError: Error, CustomStringConvertible {
  /// What was waited for.
  public let expectation: String

  /// How long.
  public let limit: Duration

  /// Where.
  public let fileID: String

  /// In which line.
  public let line: Int

  /// What there was instead; empty if there is nothing to say.
  public let state: String

  /// Says what was waited for, how long and where, and what there was instead.
  public var description: String {
    "\(expectation): not within \(limit), waited for at \(fileID):\(line)" + (state.isEmpty ? "" : "\n\(state)")
  }
}
