// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Synchronization

/// Where an operation is between being made and being finished, as a state machine without lock, queue or notifications.
///
/// An operation finishes when three things have happened, in whatever order the threads bring them: it was started, its
/// future is resolved, and `main()` has returned. Whoever brings the last of them is answered `.finish`, exactly once;
/// so the notifications of the start are over when those of the end begin.
///
/// What observers can see, `isExecuting` and `isFinished`, changes in two events only: `begin()` and `finish()`. Each is
/// sent by the one thread that was told to, between its `willChange…` and `didChange…`.
enum OperationPhase: UInt8, AtomicRepresentable {
  /// Not started, its future pending.
  case waiting
  /// Not started, and there is nothing left to do.
  case waitingResolved
  /// Somebody is announcing the start.
  case starting
  /// The same, and there is nothing left to do.
  case startingResolved
  /// `main()` runs.
  case inMain
  /// `main()` runs, although there is nothing left to do.
  case inMainResolved
  /// `main()` has returned, the work goes on.
  case executing
  /// Somebody is announcing the end of an operation that was executing.
  case finishing
  /// Somebody is announcing the end of an operation that had nothing to do when it was started.
  case skipping
  /// For ever.
  case finished

  var isExecuting: Bool {
    switch self {
    case .inMain, .inMainResolved, .executing, .finishing: true
    case .waiting, .waitingResolved, .starting, .startingResolved, .skipping, .finished: false
    }
  }

  var isFinished: Bool { self == .finished }

  var isStarted: Bool { self != .waiting && self != .waitingResolved }
}

extension OperationPhase {
  /// What whoever sent an event has to do now.
  enum Duty {
    case nothing
    /// Announce that it executes: notify, `begin()`, notify.
    case begin
    /// Announce that it is finished: notify, `finish()`, notify.
    case finish
  }

  /// The operation is started; only the first time counts.
  mutating func start() -> Duty {
    switch self {
    case .waiting: become(.starting, .begin)
    case .waitingResolved: become(.skipping, .finish)
    default: .nothing
    }
  }

  /// From now on it executes.
  mutating func begin() -> Duty {
    switch self {
    case .starting: become(.inMain, .nothing)
    case .startingResolved: become(.inMainResolved, .nothing)
    default: .nothing
    }
  }

  /// `main()` has returned, or was left out.
  mutating func mainReturned() -> Duty {
    switch self {
    case .inMain: become(.executing, .nothing)
    case .inMainResolved: become(.finishing, .finish)
    default: .nothing
    }
  }

  /// The future is resolved, and its inline handlers have returned.
  mutating func resolve() -> Duty {
    switch self {
    case .waiting: become(.waitingResolved, .nothing)
    case .starting: become(.startingResolved, .nothing)
    case .inMain: become(.inMainResolved, .nothing)
    case .executing: become(.finishing, .finish)
    default: .nothing
    }
  }

  /// From now on it is finished.
  mutating func finish() -> Duty {
    switch self {
    case .finishing, .skipping: become(.finished, .nothing)
    default: .nothing
    }
  }

  private mutating func become(_ next: OperationPhase, _ duty: Duty) -> Duty {
    self = next
    return duty
  }
}
