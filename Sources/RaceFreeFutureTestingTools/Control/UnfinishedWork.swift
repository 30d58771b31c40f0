// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// Thrown by ``withManualControl(_:)-8662u``: a test has ended and left queued work that was never run.
public struct UnfinishedWork: Error, Equatable, CustomStringConvertible {
  /// The work that was left, as in ``ManualControl/pending``.
  public let pending: [String]

  /// A description of the work that was left, with a remedy.
  public var description: String {
    "\(times(pending.count, "piece")) of work still queued, which nothing has run: "
      + "\(pending.joined(separator: "; ")). Call runAll(), or dropAll() if that is what you want"
  }
}
