// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Dispatch

// The work and waits of a future that are left to Dispatch and the runtime or, if it was created in the scope of a
// scheduler, to that. The rest of the module doesn't depend on which. (The other places are `PrivateQueue`, `TimedNode`
// and `Resumption`.)

extension Future {
  /// The replacement of the private queue, if a scheduler schedules this future.
  package var scheduledQueue: ScheduledQueue? { queueObject?.scheduledQueue }

  /// True if other code may run between two handlers that are dispatched on one thread.
  ///
  /// With Dispatch it can't: a batch for the private queue is one block. A scheduler has one thread, on which no
  /// handlers are added meanwhile, and may run other code between two of a batch.
  var hasScheduler: Bool { scheduledQueue != nil }

  /// The current instant of the clock that the future's deadlines follow.
  var presentInstant: ContinuousClock.Instant { scheduledQueue?.scheduler.instant ?? .now }

  /// Runs work on a user's queue.
  func dispatch(_ kind: ScheduledWork.Kind, on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void) {
    if let own = scheduledQueue {
      own.scheduler.enqueue(ScheduledWork(place: .queue(queue), kind: kind, future: own, run: work))
    } else {
      queue.async(execute: work)
    }
  }

  /// Runs background work, in no order with anything else.
  func startWork(qos: DispatchQoS.QoSClass, _ work: @escaping @Sendable () -> Void) {
    if let own = scheduledQueue {
      own.scheduler.enqueue(ScheduledWork(place: .anyThread, kind: .job, future: own, run: work))
    } else {
      DispatchQueue.global(qos: qos).async(execute: work)
    }
  }

  /// The executor for a task of this future; nil for the default.
  var taskExecutor: (any TaskExecutor)? {
    scheduledQueue.map { $0.scheduler.executor(forTaskOf: $0.name) }
  }

  /// Notes that the running task is about to be suspended for this future.
  func beginWait() -> Int? {
    scheduledQueue.map { $0.scheduler.beginWait(for: $0) }
  }

  /// Notes that the task continues.
  func endWait(_ wait: Int?) {
    // Of a task that is resumed before it has got as far as to wait, ThreadSanitizer doesn't see the order: see
    // tsan.sh.
    #if RFF_TSAN
      _ = decidedOutcome
    #endif
    if let wait { scheduledQueue?.scheduler.endWait(wait) }
  }

  /// Stops the program if only the calling thread, which is about to block, could end the wait.
  func checkThatThreadMayBlock(_ call: String) {
    guard hasScheduler else { return }
    fatalError(
      """
      \(call) would never end: it blocks the one thread on which the test that schedules \(self) runs everything; \
      await the future instead, or resolve it before
      """
    )
  }
}
