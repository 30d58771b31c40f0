// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import RaceFreeFuture
internal import Synchronization

/// The contents of a `FutureOperation` until its end: its closure, and the latest result.
///
/// Separate from the operation, so that handlers can query it and keep nothing else.
final class ResultSlot<Value: Sendable>: Sendable {
  typealias Work = @Sendable (FutureOperation<Value>) -> Void

  private struct State: Sendable {
    var isOpen = true
    var work: Work?
    var result: Result<Value, any Error>?
  }

  /// Guards the closure and the result, which are called and released outside.
  private let state = Locked(State())
  // Relaxed: nothing is read behind it. A dismissal on a serial queue comes before later work of that queue.
  private let dismissed = Atomic(false)

  /// True if `cancel()` of the operation has been called, in time or not: then its result is no longer needed.
  var isDismissed: Bool { dismissed.load(ordering: .relaxed) }

  func dismiss() { dismissed.store(true, ordering: .relaxed) }

  /// Keeps the closure, before the operation is shared.
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
    // Returned and released by the caller's frame, after the lock.
    state.release { state in
      defer { if state.isOpen { state.result = new } }
      return state.result
    }
  }

  /// Ends the life of the slot and returns its contents; nil if that was done before.
  func close() -> (work: Work?, result: Result<Value, any Error>?)? {
    state.withLock { state in
      guard state.isOpen else { return nil }
      defer { state = State(isOpen: false) }
      return (state.work, state.result)
    }
  }
}
