// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import RaceFreeFuture
internal import Synchronization

/// What a `FutureOperation` holds until its end: its closure, and the latest result.
///
/// Apart from the operation, so that handlers can ask it and keep nothing else.
final class ResultSlot<Value: Sendable>: Sendable {
  typealias Work = @Sendable (FutureOperation<Value>) -> Void

  private struct State: Sendable {
    var isOpen = true
    var work: Work?
    var result: Result<Value, any Error>?
  }

  private let state = Locked(State())
  /// Orders nothing but itself: whoever dismisses on a serial queue does so before what comes later there.
  private let dismissed = Atomic(false)

  /// Whether somebody has cancelled the operation, in time or not: then its result concerns nobody any more.
  var isDismissed: Bool { dismissed.load(ordering: .acquiring) }

  func dismiss() { dismissed.store(true, ordering: .releasing) }

  /// Keeps the closure, before the operation is given to anybody.
  func put(_ new: @escaping Work) { state.withLock { $0.work = new } }

  /// Takes the closure out.
  func takeWork() -> Work? {
    state.withLock { state in
      defer { state.work = nil }
      return state.work
    }
  }

  /// Keeps a result instead of the one before, unless it is too late.
  func put(_ new: Result<Value, any Error>) {
    // Handed out and released by the caller's frame, after the lock.
    _ = state.withLock { state in
      defer { if state.isOpen { state.result = new } }
      return state.result
    }
  }

  /// What was held at the end; nil if that has come before.
  func close() -> (work: Work?, result: Result<Value, any Error>?)? {
    state.withLock { state in
      guard state.isOpen else { return nil }
      defer { state = State(isOpen: false) }
      return (state.work, state.result)
    }
  }
}
