// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// Says that the last one who could have completed a future dropped it unfinished.
///
/// It is the reason of the cancellation when a ``Future/Completer`` goes, and in value futures that were made from one
/// that went.
public struct AbandonedError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The future's label, if it had one.
  public let label: String?
  /// The file in which the future was made, as `#fileID` gives it.
  public let fileID: String
  /// The line on which it was made.
  public let line: UInt

  init(_ future: Future) {
    label = future.label
    fileID = future.site.fileID
    line = UInt(future.site.line)
  }

  /// One sentence, for people.
  public var description: String {
    "abandoned: \(label.map { "\"\($0)\", " } ?? "the future ")made at \(fileID):\(line), was dropped while it was pending"
  }
}
