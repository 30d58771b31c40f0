// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Synchronization

/// The position of the controller, the thread that makes subjects and examines them when the actors are done, in the
/// user's functions.
///
/// Relaxed: it publishes nothing.
final class ControllerLane: Sendable {
  /// One of the user's functions.
  enum Step: Int {
    case none, make, outcome, finally, model
  }

  private let place = Atomic(0)
  private let thread = Atomic<UInt>(0)
  private let number = Atomic(0)

  /// Notes that the controller runs on the calling thread.
  func belongsToThisThread() {
    thread.store(CurrentThread.key, ordering: .relaxed)
    number.store(CurrentThread.systemNumber, ordering: .relaxed)
  }

  /// The system's number for the thread; 0 where there is none.
  var systemNumber: Int { number.load(ordering: .relaxed) }

  /// Notes the function that is called, and its round, counted from 0.
  func enter(_ step: Step, round: Int) { place.store((round + 1) << 3 | step.rawValue, ordering: .relaxed) }

  /// A number that changes with each `enter` unless its arguments are the same.
  var moment: Int { place.load(ordering: .relaxed) }

  /// Returns the function and the round at a moment; the round is counted from 1.
  static func step(at moment: Int) -> (step: Step, round: Int) {
    (Step(rawValue: moment & 7) ?? .none, moment >> 3)
  }

  /// True if the caller is on that thread.
  var isCurrent: Bool { thread.load(ordering: .relaxed) == CurrentThread.key }
}
