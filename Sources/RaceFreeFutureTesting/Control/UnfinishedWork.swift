// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// Thrown by ``withManualControl(_:)-6ytnt``: a test has ended and left work in line that was never run.
public struct UnfinishedWork: Error, Equatable, CustomStringConvertible {
  /// What was left, as in ``ManualControl/pending``.
  public let pending: [String]

  /// What was left, and what to do about it.
  public var description: String {
    "\(times(pending.count, "piece")) of work left in line that nobody has run: "
      + "\(pending.joined(separator: "; ")). Call runAll(), or dropAll() if that is what you want"
  }
}
