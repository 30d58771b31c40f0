// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Synchronization

/// In which of the user's functions the thread is that makes subjects, and looks at them when the actors are done.
///
/// Relaxed: nothing is handed over by it.
final class ControllerLane: Sendable {
  /// One of the user's functions.
  enum Step: Int {
    case none, make, outcome, finally, model
  }

  private let place = Atomic(0)
  private let thread = Atomic<UInt>(0)
  private let number = Atomic(0)

  /// Notes on which thread it is, which is the calling one.
  func belongsToThisThread() {
    thread.store(CurrentThread.key, ordering: .relaxed)
    number.store(CurrentThread.systemNumber, ordering: .relaxed)
  }

  /// The system's number for the thread; 0 where there is none.
  var systemNumber: Int { number.load(ordering: .relaxed) }

  /// Notes which function is called for which round, counted from 0.
  func enter(_ step: Step, round: Int) { place.store((round + 1) << 3 | step.rawValue, ordering: .relaxed) }

  /// A number that is another one after each `enter`, apart from equal ones.
  var moment: Int { place.load(ordering: .relaxed) }

  /// What was noted at a moment; the round is counted from 1.
  static func step(at moment: Int) -> (step: Step, round: Int) {
    (Step(rawValue: moment & 7) ?? .none, moment >> 3)
  }

  /// Whether the caller is on that thread.
  var isCurrent: Bool { thread.load(ordering: .relaxed) == CurrentThread.key }
}
