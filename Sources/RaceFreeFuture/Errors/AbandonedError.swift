// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// An error that indicates that the last object that could have completed a future was released without doing so.
///
/// It is the reason of the cancellation when a ``Future/Completer`` is released, and in value futures that were created
/// from a released one.
public struct AbandonedError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The future's label, if it had one.
  public let label: String?
  /// The file in which the future was created, in the form of `#fileID`.
  public let fileID: String
  /// The line on which it was created.
  public let line: UInt
  /// The names of the futures through which it came as a cancellation, from the released one to the one that the
  /// cancelled future is linked to; empty if it came through none.
  ///
  /// It has the form of ``CancellableWork/cancellationPath``. It is not compared.
  public private(set) var path: [String] = []

  init(_ future: Future) {
    label = future.label
    fileID = future.site.fileID
    line = UInt(future.site.line)
  }

  /// One sentence, meant for people to read.
  public var description: String {
    let name = label.map { "\"\($0)\", " } ?? "the future "
    let place = "made at \(fileID):\(line)"
    return "abandoned: \(name)\(place), was dropped while it was pending\(pathText(path, after: label ?? place))"
  }

  /// Returns a Boolean value that indicates whether two errors are of the same future, by label and place of creation.
  public static func == (left: AbandonedError, right: AbandonedError) -> Bool {
    left.label == right.label && left.fileID == right.fileID && left.line == right.line
  }

  /// Returns the same error with a path.
  func along(_ path: [String]) -> AbandonedError {
    var error = self
    error.path = path
    return error
  }
}
