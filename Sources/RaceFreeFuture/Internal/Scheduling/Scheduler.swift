// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

package import Dispatch
internal import Synchronization

/// Takes the place of Dispatch for the futures that are made in its scope: the one door through which the testing module
/// reaches into this one.
///
/// What such a future would hand to a queue, a timer or a task of its own goes to the scheduler instead, which runs it
/// when it sees fit. A scheduler runs one piece of work at a time. Nothing here is called with a lock held.
package protocol Scheduler: AnyObject, Sendable {
  /// Whether it still schedules.
  ///
  /// Once false it stays false, and its futures turn to Dispatch like all others.
  var isScheduling: Bool { get }

  /// Puts work in line; what stands in line at the same place runs in that order.
  func enqueue(_ work: ScheduledWork)

  /// Runs all that stands in line on a private queue, in order: somebody waits for it on this very thread.
  func runLine(of queue: ScheduledQueue)

  /// The present instant of the time that its timers follow.
  var instant: ContinuousClock.Instant { get }

  /// Sets a timer, which fires at most once and holds the closure until then, or until it is stopped.
  func start(_ timer: ScheduledTimer, _ fire: @escaping @Sendable () -> Void)

  /// Stops a timer and releases its closure; any number of times.
  func stop(_ timer: ScheduledTimer)

  /// Where the task of a future of this name runs.
  func executor(forTaskOf name: String) -> any TaskExecutor

  /// The running task is about to be suspended until something becomes of the future.
  ///
  /// Returns what `endWait` is told when the task goes on.
  func beginWait(for future: ScheduledQueue) -> Int
  func endWait(_ wait: Int)
}

/// A piece of work that a scheduler is given.
package struct ScheduledWork: Sendable {
  package enum Place: Sendable {
    /// The private queue of the future.
    case privateQueue
    /// A queue that a user has given.
    case queue(DispatchQueue)
    /// A thread of a global queue: in no order with anything else.
    case anyThread
  }

  /// What it is.
  package enum Kind: Sendable {
    case onComplete, onCancel, onCleanUp
    /// A step from one future to another that was made from it.
    case stage
    case perform
    /// A decision that stands in line.
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

/// The private queue of a future that is scheduled: it stands for the future with the scheduler, and doesn't keep it.
package final class ScheduledQueue: Sendable {
  package let scheduler: any Scheduler
  /// The future's label in quotation marks or, without one, file and line of its making.
  package var name: String { futureName.short }
  private let futureName: FutureName

  init(_ scheduler: any Scheduler, label: String?, site: CreationSite) {
    self.scheduler = scheduler
    futureName = FutureName(label: label, site: site)
  }
}

/// A timer that is scheduled.
package final class ScheduledTimer: Sendable {
  /// How long it runs.
  package let interval: Duration
  /// The future that it belongs to.
  package let name: String

  package init(interval: Duration, name: String) {
    self.interval = interval
    self.name = name
  }
}

/// Whose futures the running code makes.
package enum Scheduling {
  @TaskLocal private static var scope: (any Scheduler)?
  /// How many scopes are open in the whole program, so that nobody looks at task-local values while there is none.
  ///
  /// Relaxed: a thread that runs inside of a scope was started, or resumed, after the scope had been counted.
  private static let openScopes = Atomic(0)

  /// The thread on which everything is scheduled, whatever task it belongs to; 0: none.
  ///
  /// Relaxed: what a thread asks is whether it is itself, and then it has written the value.
  private static let scheduledThread = Atomic<UInt>(0)
  /// Who schedules that thread.
  private static let threadScheduler = Locked<(any Scheduler)?>(nil)

  /// Whether everything on the calling thread is scheduled.
  package static var isOnScheduledThread: Bool {
    scheduledThread.load(ordering: .relaxed) == ThreadIdentity.current.rawValue
  }

  /// The scheduler of the innermost scope; else that of the thread.
  package static var current: (any Scheduler)? {
    guard openScopes.load(ordering: .relaxed) != 0 else { return nil }
    if let scope { return scope }
    guard isOnScheduledThread else { return nil }
    return threadScheduler.withLock { $0 }
  }

  /// Lets a scheduler schedule all futures that are made on this thread while the body runs.
  ///
  /// Also by tasks that have no task-local values, as detached ones. One thread at a time can be scheduled.
  package static func scheduleThread<Result>(
    by scheduler: any Scheduler,
    _ body: () throws -> Result
  ) rethrows -> Result {
    // Released after the lock.
    _ = threadScheduler.withLock { current -> (any Scheduler)? in
      defer { current = scheduler }
      return current
    }
    scheduledThread.store(ThreadIdentity.current.rawValue, ordering: .relaxed)
    openScopes.add(1, ordering: .relaxed)
    defer {
      openScopes.subtract(1, ordering: .relaxed)
      // A thread that was given up may come here after another one has begun.
      if isOnScheduledThread {
        scheduledThread.store(0, ordering: .relaxed)
        _ = threadScheduler.withLock { current -> (any Scheduler)? in
          defer { current = nil }
          return current
        }
      }
    }
    return try schedule(by: scheduler, body)
  }

  /// Runs work that belongs to no future's line: on a global queue, or when the scheduler of the running code sees fit.
  static func runElsewhere(_ work: @escaping @Sendable () -> Void) {
    guard let scheduler = current, scheduler.isScheduling else { return DispatchQueue.global().async(execute: work) }
    let never = ScheduledQueue(scheduler, label: "never", site: CreationSite(#fileID, #line))
    scheduler.enqueue(ScheduledWork(place: .anyThread, kind: .perform, future: never, run: work))
  }

  /// Lets a scheduler schedule all futures that are made while the body runs, by it or by its child tasks.
  package static func schedule<Result>(by scheduler: any Scheduler, _ body: () throws -> Result) rethrows -> Result {
    openScopes.add(1, ordering: .relaxed)
    defer { openScopes.subtract(1, ordering: .relaxed) }
    return try $scope.withValue(scheduler, operation: body)
  }

  /// Lets a scheduler schedule all futures that are made while the body runs, by it or by its child tasks.
  package static func schedule<Result>(
    by scheduler: any Scheduler,
    _ body: () async throws -> Result
  ) async rethrows -> Result {
    openScopes.add(1, ordering: .relaxed)
    defer { openScopes.subtract(1, ordering: .relaxed) }
    return try await $scope.withValue(scheduler, operation: body)
  }
}
