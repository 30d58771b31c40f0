// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Foundation
internal import Synchronization

/// What a `FutureOperation` holds until its end: its closure, and the latest result.
///
/// Apart from the operation, so that handlers can ask it and keep nothing else.
///
/// `@unchecked Sendable`: `lock` guards `isOpen`, `work` and `result`. Inside of it nothing is called, and nothing of
/// the user's released. (It is a lock of Foundation's because ThreadSanitizer can't see into a `Mutex`.)
final class ResultSlot<Value: Sendable>: @unchecked Sendable {
  typealias Work = @Sendable (FutureOperation<Value>) -> Void

  private let lock = NSLock()
  private var isOpen = true
  private var work: Work?
  private var result: Result<Value, any Error>?
  /// Orders nothing but itself: whoever dismisses on a serial queue does so before what comes later there.
  private let dismissed = Atomic(false)

  /// Whether somebody has cancelled the operation, in time or not: then its result concerns nobody any more.
  var isDismissed: Bool { dismissed.load(ordering: .acquiring) }

  func dismiss() { dismissed.store(true, ordering: .releasing) }

  /// Keeps the closure, before the operation is given to anybody.
  func put(_ new: @escaping Work) { lock.withLock { work = new } }

  /// Takes the closure out.
  func takeWork() -> Work? {
    lock.withLock {
      defer { work = nil }
      return work
    }
  }

  /// Keeps a result instead of the one before, unless it is too late.
  func put(_ new: Result<Value, any Error>) {
    // Handed out and released by the caller's frame, after the lock.
    _ = lock.withLock {
      defer { if isOpen { result = new } }
      return result
    }
  }

  /// What was held at the end; nil if that has come before.
  func close() -> (work: Work?, result: Result<Value, any Error>?)? {
    lock.withLock {
      guard isOpen else { return nil }
      defer { (isOpen, work, result) = (false, nil, nil) }
      return (work, result)
    }
  }
}
