// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// An error that indicates that the last object that could have completed a future was released without doing so.
///
/// It is the reason of the cancellation when a ``Completer`` is released, and in value futures that were created
/// from a released one.
public struct AbandonedError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The label of the future, and the place where it was created.
  public let origin: Origin
  /// The names of the futures through which it came as a cancellation, from the released one to the one that the
  /// cancelled future is linked to; empty if it came through none.
  ///
  /// It has the form of ``Cancellation/path``. It is not compared.
  public private(set) var path: [String] = []

  /// One sentence, meant for people to read.
  public var description: String {
    let name = origin.label.map { "\"\($0)\", " } ?? "the future "
    let rest = pathText(path, after: "\(origin)")
    return "abandoned: \(name)made at \(origin.place), was dropped while it was pending\(rest)"
  }

  /// Returns a Boolean value that indicates whether two errors are of the same future, by label and place of creation.
  public static func == (left: AbandonedError, right: AbandonedError) -> Bool {
    left.origin.label == right.origin.label && left.origin.place == right.origin.place
  }

  /// Returns the same error with a path.
  func along(_ path: [String]) -> AbandonedError {
    var error = self
    error.path = path
    return error
  }
}
