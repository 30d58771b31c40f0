// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Dispatch
internal import Synchronization

/// What belongs to one actor's thread and is looked at by the others, on cache lines of its own.
///
/// Relaxed throughout: it says where the actor is and hands nothing over. What is handed over goes through the
/// semaphores. So the actors are not put in an order that they would not have by themselves, neither for the processor
/// nor for ThreadSanitizer.
final class ActorLane: Sendable {
  // Two lines before and after: processors fetch lines in pairs.
  private let before = CacheLines()
  /// How many rounds the actor has returned from, since ever; one more with each batch.
  let position = Atomic(0)
  /// How often another actor had returned from a round already when this one began it.
  let latecomings = Atomic(0)
  private let after = CacheLines()
  /// Wakes the thread for a batch.
  let start = DispatchSemaphore(value: 0)

  // Written once a batch, for reports.

  /// What is to be taken from the position to have the number of rounds.
  private let origin = Atomic(0)
  private let isAwake = Atomic(false)
  private let thread = Atomic<UInt>(0)
  private let number = Atomic(0)

  private struct CacheLines: Sendable {
    private let first = (UInt64(0), UInt64(0), UInt64(0), UInt64(0), UInt64(0), UInt64(0), UInt64(0), UInt64(0))
    private let second = (UInt64(0), UInt64(0), UInt64(0), UInt64(0), UInt64(0), UInt64(0), UInt64(0), UInt64(0))
  }
}

// MARK: - Where the actor is

extension ActorLane {
  /// Notes on which thread the actor is, which is the calling one.
  func belongsToThisThread() {
    thread.store(CurrentThread.key, ordering: .relaxed)
    number.store(CurrentThread.systemNumber, ordering: .relaxed)
  }

  /// Notes that a batch begins: at a position, after so many rounds.
  func wakes(at position: Int, after rounds: Int) {
    self.position.store(position, ordering: .relaxed)
    origin.store(position - rounds, ordering: .relaxed)
    isAwake.store(true, ordering: .relaxed)
  }

  /// Notes that the batch is done.
  func sleeps() { isAwake.store(false, ordering: .relaxed) }

  /// The round that the actor is in or about to begin, counted from 1; nil between two batches.
  var round: Int? {
    isAwake.load(ordering: .relaxed)
      ? position.load(ordering: .relaxed) - origin.load(ordering: .relaxed) + 1 : nil
  }

  /// Whether the caller is on the actor's thread.
  var isCurrent: Bool { thread.load(ordering: .relaxed) == CurrentThread.key }

  /// The system's number for the thread; 0 where there is none.
  var systemNumber: Int { number.load(ordering: .relaxed) }
}
