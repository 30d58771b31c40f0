// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

package import Dispatch
internal import Synchronization

/// A replacement for Dispatch for the futures created in its scope: the only interface of the testing module to this
/// one.
///
/// Work that such a future would give to a queue, a timer or a task of its own goes to the scheduler instead, which
/// chooses when to run it. A scheduler runs one piece of work at a time. Nothing here is called with a lock held.
package protocol Scheduler: AnyObject, Sendable {
  /// True if it still schedules.
  ///
  /// Once false it stays false, and its futures use Dispatch like all others.
  var isScheduling: Bool { get }

  /// Queues work; work that is queued at the same place runs in that order.
  func enqueue(_ work: ScheduledWork)

  /// Runs all work queued on a private queue, in order: the calling thread waits for it.
  func runLine(of queue: ScheduledQueue)

  /// The current instant of the time that its timers follow.
  var instant: ContinuousClock.Instant { get }

  /// Sets a timer, which fires at most once and holds the closure until then, or until it is stopped.
  ///
  /// Timers fire in the order of their instants, and the clock has come to these by then (L14).
  func start(_ timer: ScheduledTimer, _ fire: @escaping @Sendable () -> Void)

  /// Stops a timer and releases its closure; it can be called any number of times.
  func stop(_ timer: ScheduledTimer)

  /// Returns the executor for the task of a future of this name.
  func executor(forTaskOf name: String) -> any TaskExecutor

  /// Notes that the running task is about to be suspended until the future changes.
  ///
  /// Returns the argument for `endWait` when the task continues.
  func beginWait(for future: ScheduledQueue) -> Int
  func endWait(_ wait: Int)
}

/// A piece of work for a scheduler.
package struct ScheduledWork: Sendable {
  package enum Place: Sendable {
    /// The private queue of the future.
    case privateQueue
    /// A user's queue.
    case queue(DispatchQueue)
    /// A thread of a global queue: in no order with anything else.
    case anyThread
  }

  /// The kind of the work.
  package enum Kind: Sendable {
    case onComplete, onCancel, onCleanUp
    /// A step from one future to another that was created from it.
    case stage
    case perform
    /// A queued decision.
    case complete, cancel
    /// The work of a background or lazy future.
    case job
  }

  package let place: Place
  package let kind: Kind
  /// The future that it belongs to.
  package let future: ScheduledQueue
  package let run: @Sendable () -> Void
}

/// The private queue of a scheduled future: it represents the future in the scheduler, and doesn't keep it.
package final class ScheduledQueue: Sendable {
  package let scheduler: any Scheduler
  /// The future's label in quotation marks or, without one, the file and line of its creation.
  package var name: String { futureName.short }
  private let futureName: FutureName

  init(_ scheduler: any Scheduler, label: String?, site: CreationSite) {
    self.scheduler = scheduler
    futureName = FutureName(label: label, site: site)
  }
}

/// A scheduled timer.
package final class ScheduledTimer: Sendable {
  /// The interval after which it fires; a negative one comes before all that are due.
  package let interval: Duration
  /// The future that it belongs to.
  package let name: String
  /// The order among timers that are due at the same instant, the lowest number first; nil if it doesn't matter.
  package let number: Int?

  package init(interval: Duration, name: String, number: Int? = nil) {
    self.interval = interval
    self.name = name
    self.number = number
  }
}

/// The scheduler of the futures that the running code creates.
package enum Scheduling {
  @TaskLocal private static var scope: (any Scheduler)?

  /// The thread on which everything is scheduled, in any task; 0 for none.
  ///
  /// Relaxed: a thread only compares the value with its own identity, which it has written itself. When the
  /// scheduling of another thread is ended, its scheduler is removed as well, under the lock.
  private static let scheduledThread = Atomic<UInt>(0)
  /// Guards the scheduler of that thread; the one before is released outside.
  private static let threadScheduler = Locked<(any Scheduler)?>(nil)

  /// True if everything on the calling thread is scheduled.
  package static var isOnScheduledThread: Bool {
    scheduledThread.load(ordering: .relaxed) == ThreadIdentity.current.rawValue
  }

  /// The scheduler of the innermost scope or, without one, of the thread; nil if it no longer schedules.
  package static var current: (any Scheduler)? {
    guard Hooks.isOn(.scheduler) else { return nil }
    let current = scope ?? (isOnScheduledThread ? threadScheduler.withLock { $0 } : nil)
    return current?.isScheduling == true ? current : nil
  }

  /// Schedules all futures that are created on this thread while the body runs.
  ///
  /// Futures of tasks without task-local values, such as detached tasks, are included. One thread at a time can be
  /// scheduled.
  package static func scheduleThread<Result>(
    by scheduler: any Scheduler,
    _ body: () throws -> Result
  ) rethrows -> Result {
    // Released after the lock.
    threadScheduler.release { current -> (any Scheduler)? in
      defer { current = scheduler }
      return current
    }
    scheduledThread.store(ThreadIdentity.current.rawValue, ordering: .relaxed)
    defer {
      // Also if another thread has taken it over, which may end without giving it back. An abandoned thread may come
      // here after another scheduler has begun.
      threadScheduler.release { current -> (any Scheduler)? in
        guard current === scheduler else { return nil }
        scheduledThread.store(0, ordering: .relaxed)
        return current.take()
      }
    }
    return try schedule(by: scheduler, body)
  }

  /// Moves the scheduling of everything to the calling thread, from the thread that had it.
  package static func scheduleFromHere() {
    scheduledThread.store(ThreadIdentity.current.rawValue, ordering: .relaxed)
  }

  /// Runs work that belongs to no future's queue: on a global queue, or when the scheduler of the running code chooses.
  static func runElsewhere(_ work: @escaping @Sendable () -> Void) {
    guard let scheduler = current else { return DispatchQueue.global().async(execute: work) }
    let never = ScheduledQueue(scheduler, label: "never", site: CreationSite(#fileID, #line))
    scheduler.enqueue(ScheduledWork(place: .anyThread, kind: .perform, future: never, run: work))
  }

  /// Schedules all futures that are created while the body runs, by it or by its child tasks.
  package static func schedule<Result>(by scheduler: any Scheduler, _ body: () throws -> Result) rethrows -> Result {
    Hooks.set(.scheduler)
    return try $scope.withValue(scheduler, operation: body)
  }

  /// Schedules all futures that are created while the body runs, by it or by its child tasks.
  package static func schedule<Result>(
    by scheduler: any Scheduler,
    _ body: () async throws -> Result
  ) async rethrows -> Result {
    Hooks.set(.scheduler)
    return try await $scope.withValue(scheduler, operation: body)
  }
}
