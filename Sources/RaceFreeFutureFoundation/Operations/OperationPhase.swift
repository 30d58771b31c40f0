// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Synchronization

/// The phase of an operation between its creation and its end: a state machine without lock, queue or notifications.
///
/// An operation finishes when three things have happened, in any order: it was started, its future is resolved, and
/// `main()` has returned. The event that comes last is answered with `.finish`, exactly once; so the notifications of
/// the start are over when those of the end begin.
///
/// The observable properties, `isExecuting` and `isFinished`, change in two events only: `begin()` and `finish()`. Each
/// is sent by the one thread that was told to, between its `willChange…` and `didChange…`.
enum OperationPhase: UInt8, AtomicRepresentable {
  /// Not started, its future pending.
  case waiting
  /// Not started, and there is nothing left to do.
  case waitingResolved
  /// A thread is announcing the start.
  case starting
  /// A thread is announcing the start, and there is nothing left to do.
  case startingResolved
  /// `main()` runs.
  case inMain
  /// `main()` runs, although there is nothing left to do.
  case inMainResolved
  /// `main()` has returned; the work continues.
  case executing
  /// A thread is announcing the end of an operation that was executing.
  case finishing
  /// A thread is announcing the end of an operation that had nothing to do when it was started.
  case skipping
  /// Finished; the final phase.
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
  /// The duty of the sender of an event.
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
