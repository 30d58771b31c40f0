// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import RaceFreeFutureTestingTools
internal import Synchronization

/// The thread whose turn it is: one runs, that of the order or one of the scenario's, and the others wait.
///
/// All that is changed is used by the thread that runs; what it has written is published by the semaphore with which it
/// continues the next one. That makes it `@unchecked Sendable`.
final class ThreadTurns: @unchecked Sendable {
  /// The threads on which those of scenarios run.
  let pool: ThreadPool
  /// The threads that run the steps of a body.
  let carriers: CarrierPool
  /// The thread that runs.
  ///
  /// Relaxed: a thread only compares it with itself, and if they are equal it has written the value.
  private let holder = Atomic(CurrentThread.key)
  /// Signalled when the thread of the order may continue.
  private let handedBack = OwnSemaphore()
  /// Signalled when the carriers have run the order.
  private let isCarried = OwnSemaphore()
  /// The choice of a thread of the scenario.
  var next: Int?
  /// True while conditions are evaluated: their actions aren't those of a thread.
  var isLooking = false

  init(_ pool: ThreadPool, _ carriers: CarrierPool) {
    self.pool = pool
    self.carriers = carriers
  }

  /// True on the thread that runs.
  var isOwn: Bool { holder.load(ordering: .relaxed) == CurrentThread.key }

  /// Makes the calling thread the one that runs.
  func take() { holder.store(CurrentThread.key, ordering: .relaxed) }

  /// Continues one of the threads, and waits until it has stopped again: on the thread of the order.
  func handOver(_ start: () -> Void) {
    start()
    handedBack.wait()
    take()
  }

  /// Continues the thread of the order: called by the thread that was running, which does nothing more.
  func handBack() { handedBack.signal() }

  /// Has carriers run an order, and waits for its end: on the thread of the order.
  func carry(_ run: OrderRun) {
    carriers.carry(run)
    isCarried.wait()
  }

  /// Continues the thread of the order, because nothing is left to carry.
  func endCarrying() { isCarried.signal() }
}
