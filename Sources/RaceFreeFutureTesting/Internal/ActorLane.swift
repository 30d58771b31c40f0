// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Dispatch
internal import Synchronization

/// What belongs to one actor's thread and is looked at by the others, on cache lines of its own.
final class ActorLane: Sendable {
  // Two lines before and after: processors fetch lines in pairs.
  private let before = CacheLines()
  /// How many rounds the actor has returned from, since ever.
  ///
  /// Relaxed throughout: it says where the actor is and hands nothing over. What is handed over goes through the
  /// semaphores. So the actors are not put in an order that they would not have by themselves, neither for the
  /// processor nor for ThreadSanitizer.
  let position = Atomic(0)
  /// How often another actor had returned from a round already when this one began it.
  let latecomings = Atomic(0)
  private let after = CacheLines()
  /// Wakes the thread for a batch.
  let start = DispatchSemaphore(value: 0)

  private struct CacheLines: Sendable {
    private let first = (UInt64(0), UInt64(0), UInt64(0), UInt64(0), UInt64(0), UInt64(0), UInt64(0), UInt64(0))
    private let second = (UInt64(0), UInt64(0), UInt64(0), UInt64(0), UInt64(0), UInt64(0), UInt64(0), UInt64(0))
  }
}
