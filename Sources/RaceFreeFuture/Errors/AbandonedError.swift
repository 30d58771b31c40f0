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
  /// What the futures are called through which it came as a cancellation: first the one that was dropped, last the one
  /// to which the cancelled future is linked; empty if it came through none.
  ///
  /// As ``CancellableWork/cancellationPath`` gives it. Not compared.
  public private(set) var path: [String] = []

  init(_ future: Future) {
    label = future.label
    fileID = future.site.fileID
    line = UInt(future.site.line)
  }

  /// One sentence, for people.
  public var description: String {
    let name = label.map { "\"\($0)\", " } ?? "the future "
    let place = "made at \(fileID):\(line)"
    return "abandoned: \(name)\(place), was dropped while it was pending\(pathText(path, after: label ?? place))"
  }

  /// Whether the same future was dropped, as far as label and place tell.
  public static func == (left: AbandonedError, right: AbandonedError) -> Bool {
    left.label == right.label && left.fileID == right.fileID && left.line == right.line
  }

  /// The same error, as it comes at the end of a path.
  func along(_ path: [String]) -> AbandonedError {
    var error = self
    error.path = path
    return error
  }
}
