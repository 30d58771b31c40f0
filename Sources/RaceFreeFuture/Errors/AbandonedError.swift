// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// An error that indicates that the last object that could have completed a future was released without doing so.
///
/// The reason of the cancellation if a ``Completer`` is released, or, for futures created from a value future, if that
/// is released while pending.
public struct AbandonedError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The label of the future, and the place where it was created.
  public let origin: Origin

  /// One sentence, meant for people to read.
  public var description: String {
    let name = origin.label.map { "\"\($0)\", " } ?? "the future "
    return "abandoned: \(name)made at \(origin.place), was dropped while it was pending"
  }

  /// Returns a Boolean value that indicates whether two errors are of the same future, by label and place of creation.
  public static func == (left: AbandonedError, right: AbandonedError) -> Bool {
    left.origin.label == right.origin.label && left.origin.place == right.origin.place
  }
}
