// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Dispatch

// What a future hands to others to run, or waits for: to Dispatch and to the runtime or, if it was made in the scope of a
// scheduler, to that. The rest of the module doesn't know which. (`PrivateQueue` and `Timer` are the other two places.)

extension Future {
  /// What stands in for the private queue, if somebody schedules this future.
  package var scheduledQueue: ScheduledQueue? { queueObject?.scheduledQueue }

  /// Whether others may act between two handlers that are handed over on one thread.
  ///
  /// With Dispatch they can't: a batch for the private queue is one block. A scheduler has one thread, on which nobody
  /// adds handlers meanwhile, and may let others act between two of a batch.
  var hasScheduler: Bool { scheduledQueue != nil }

  /// Runs work on a queue of the user's.
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

  /// Where a task of this future runs; nil: where all do.
  var taskExecutor: (any TaskExecutor)? {
    scheduledQueue.map { $0.scheduler.executor(forTaskOf: $0.name) }
  }

  /// The running task is about to be suspended for this future.
  func beginWait() -> Int? {
    scheduledQueue.map { $0.scheduler.beginWait(for: $0) }
  }

  /// The task goes on.
  func endWait(_ wait: Int?) {
    if let wait { scheduledQueue?.scheduler.endWait(wait) }
  }

  /// Stops the program if the calling thread, which is about to block, is the only one that could end the wait.
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
