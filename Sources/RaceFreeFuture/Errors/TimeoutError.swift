// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// An error that indicates that work took longer than its time limit.
public struct TimeoutError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The time limit: up to the ``deadline``, if there was one, from the moment when that was set or last moved.
  public let interval: Duration
  /// The name of the work that took too long: the future's label or, without one, the place where it was created.
  public let label: String
  /// The deadline that has passed, of the future that ``label`` names; nil for a wait with a timeout.
  ///
  /// It is not compared.
  public let deadline: ContinuousClock.Instant?
  /// True if the deadline had been moved: the limit counts from there.
  private var isMoved = false

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - interval: The time limit.
  ///   - label: The name of the work that took too long.
  ///   - deadline: The instant at which the work should have been over, if known.
  public init(interval: Duration, label: String, deadline: ContinuousClock.Instant? = nil) {
    self.interval = interval
    self.label = label
    self.deadline = deadline
  }

  /// Creates the error of a deadline that was set, or last moved, at an instant.
  init(from start: ContinuousClock.Instant, to deadline: ContinuousClock.Instant, isMoved: Bool, label: String) {
    self.init(interval: start.duration(to: deadline), label: label, deadline: deadline)
    self.isMoved = isMoved
  }

  /// One sentence, meant for people to read.
  public var description: String {
    let late = isMoved ? "\(interval) after the deadline was last moved" : "after \(interval)"
    return "timed out \(late): \(label)"
  }

  /// Returns a Boolean value that indicates whether two errors have the same label and time limit.
  public static func == (left: TimeoutError, right: TimeoutError) -> Bool {
    left.interval == right.interval && left.label == right.label
  }
}
