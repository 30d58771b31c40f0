// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Dispatch
internal import Synchronization

/// The data of one actor's thread that the others read, on cache lines of its own.
///
/// Relaxed throughout: it holds the actor's position and publishes nothing. Other data is published through the
/// semaphores. So no order is imposed on the actors that they would not have by themselves, neither for the processor
/// nor for ThreadSanitizer.
final class ActorLane: Sendable {
  // Two lines before and after: processors fetch lines in pairs.
  private let before = CacheLines()
  /// The number of rounds from which the actor has returned in total; one more with each batch.
  let position = Atomic(0)
  /// The number of times that another actor had returned from a round already when this one began it.
  let latecomings = Atomic(0)
  private let after = CacheLines()
  /// Wakes the thread for a batch.
  let start = DispatchSemaphore(value: 0)

  // Written once per batch, for reports.

  /// The number to subtract from the position to get the number of rounds.
  private let origin = Atomic(0)
  private let isAwake = Atomic(false)
  /// True if it is ahead of the others; stays true if that is the end.
  let isAhead = Atomic(false)
  /// The time that the thread had a core in the last batch, in nanoseconds.
  private let worked = Atomic(0)
  private let thread = Atomic<UInt>(0)
  private let number = Atomic(0)

  private struct CacheLines: Sendable {
    private let first = (UInt64(0), UInt64(0), UInt64(0), UInt64(0), UInt64(0), UInt64(0), UInt64(0), UInt64(0))
    private let second = (UInt64(0), UInt64(0), UInt64(0), UInt64(0), UInt64(0), UInt64(0), UInt64(0), UInt64(0))
  }
}

// MARK: - Position of the actor

extension ActorLane {
  /// Notes that the actor runs on the calling thread.
  func belongsToThisThread() {
    thread.store(CurrentThread.key, ordering: .relaxed)
    number.store(CurrentThread.systemNumber, ordering: .relaxed)
  }

  /// Notes that a batch begins: at a position, after a number of rounds.
  func wakes(at position: Int, after rounds: Int) {
    self.position.store(position, ordering: .relaxed)
    origin.store(position - rounds, ordering: .relaxed)
    isAwake.store(true, ordering: .relaxed)
  }

  /// Notes that the batch is done, and the time that the thread had a core for it.
  func sleeps(after processorTime: Int) {
    worked.store(processorTime, ordering: .relaxed)
    isAwake.store(false, ordering: .relaxed)
  }

  /// The time that the thread had a core in the last batch, in nanoseconds.
  var processorTime: Int { worked.load(ordering: .relaxed) }

  /// The round that the actor is in or about to begin, counted from 1; nil between two batches.
  var round: Int? {
    isAwake.load(ordering: .relaxed)
      ? position.load(ordering: .relaxed) - origin.load(ordering: .relaxed) + 1 : nil
  }

  /// True if the actor has nothing to do before the others have come as far.
  var isWaiting: Bool { !isAwake.load(ordering: .relaxed) || isAhead.load(ordering: .relaxed) }

  /// True if the caller is on the actor's thread.
  var isCurrent: Bool { thread.load(ordering: .relaxed) == CurrentThread.key }

  /// The system's number for the thread; 0 where there is none.
  var systemNumber: Int { number.load(ordering: .relaxed) }
}
