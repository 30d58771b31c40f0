// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

package import Dispatch
internal import Synchronization

/// Takes the place of Dispatch for the futures that are made in its scope: the one door through which the testing module
/// reaches into this one.
///
/// What such a future would hand to a queue, a timer or a task of its own goes to the conductor instead, which runs it
/// when it sees fit. A conductor runs one piece of work at a time. Nothing here is called with a lock held.
package protocol Conductor: AnyObject, Sendable {
  /// Whether it still conducts.
  ///
  /// Once false it stays false, and its futures turn to Dispatch like all others.
  var isConducting: Bool { get }

  /// Puts work in line; what stands in line at the same place runs in that order.
  func enqueue(_ work: ConductedWork)

  /// Runs all that stands in line on a private queue, in order: somebody waits for it on this very thread.
  func runLine(of queue: ConductedQueue)

  /// Sets a timer, which fires at most once and holds the closure until then, or until it is stopped.
  func start(_ timer: ConductedTimer, _ fire: @escaping @Sendable () -> Void)

  /// Stops a timer and releases its closure; any number of times.
  func stop(_ timer: ConductedTimer)

  /// Where the task of a future of this name runs.
  func executor(forTaskOf name: String) -> any TaskExecutor

  /// The running task is about to be suspended until something becomes of the future.
  ///
  /// Returns what `endWait` is told when the task goes on.
  func beginWait(for future: ConductedQueue) -> Int
  func endWait(_ wait: Int)
}

/// A piece of work that a conductor is given.
package struct ConductedWork: Sendable {
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
  package let future: ConductedQueue
  package let run: @Sendable () -> Void
}

/// The private queue of a future that is conducted: it stands for the future with the conductor, and doesn't keep it.
package final class ConductedQueue: Sendable {
  package let conductor: any Conductor
  /// The future's label in quotation marks or, without one, file and line of its making.
  package var name: String { futureName.short }
  private let futureName: FutureName

  init(_ conductor: any Conductor, label: String?, site: CreationSite) {
    self.conductor = conductor
    futureName = FutureName(label: label, site: site)
  }
}

/// A timer that is conducted.
package final class ConductedTimer: Sendable {
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
package enum Conducting {
  @TaskLocal private static var scope: (any Conductor)?
  /// How many scopes are open in the whole program, so that nobody looks at task-local values while there is none.
  ///
  /// Relaxed: a thread that runs inside of a scope was started, or resumed, after the scope had been counted.
  private static let openScopes = Atomic(0)

  /// The thread on which everything is conducted, whatever task it belongs to; 0: none.
  ///
  /// Relaxed: what a thread asks is whether it is itself, and then it has written the value.
  private static let conductedThread = Atomic<UInt>(0)
  /// Who conducts that thread.
  private static let threadConductor = Locked<(any Conductor)?>(nil)

  /// Whether everything on the calling thread is conducted.
  package static var isOnConductedThread: Bool {
    conductedThread.load(ordering: .relaxed) == ThreadIdentity.current.rawValue
  }

  /// The conductor of the innermost scope; else that of the thread.
  package static var current: (any Conductor)? {
    guard openScopes.load(ordering: .relaxed) != 0 else { return nil }
    if let scope { return scope }
    guard isOnConductedThread else { return nil }
    return threadConductor.withLock { $0 }
  }

  /// Lets a conductor conduct all futures that are made on this thread while the body runs.
  ///
  /// Also by tasks that have no task-local values, as detached ones. One thread at a time can be conducted.
  package static func conductThread<Result>(
    by conductor: any Conductor,
    _ body: () throws -> Result
  ) rethrows -> Result {
    // Released after the lock.
    _ = threadConductor.withLock { current -> (any Conductor)? in
      defer { current = conductor }
      return current
    }
    conductedThread.store(ThreadIdentity.current.rawValue, ordering: .relaxed)
    openScopes.add(1, ordering: .relaxed)
    defer {
      openScopes.subtract(1, ordering: .relaxed)
      // A thread that was given up may come here after another one has begun.
      if isOnConductedThread {
        conductedThread.store(0, ordering: .relaxed)
        _ = threadConductor.withLock { current -> (any Conductor)? in
          defer { current = nil }
          return current
        }
      }
    }
    return try conduct(by: conductor, body)
  }

  /// Runs work that belongs to no future's line: on a global queue, or when the conductor of the running code sees fit.
  static func runElsewhere(_ work: @escaping @Sendable () -> Void) {
    guard let conductor = current, conductor.isConducting else { return DispatchQueue.global().async(execute: work) }
    let never = ConductedQueue(conductor, label: "never", site: CreationSite(#fileID, #line))
    conductor.enqueue(ConductedWork(place: .anyThread, kind: .perform, future: never, run: work))
  }

  /// Lets a conductor conduct all futures that are made while the body runs, by it or by its child tasks.
  package static func conduct<Result>(by conductor: any Conductor, _ body: () throws -> Result) rethrows -> Result {
    openScopes.add(1, ordering: .relaxed)
    defer { openScopes.subtract(1, ordering: .relaxed) }
    return try $scope.withValue(conductor, operation: body)
  }

  /// Lets a conductor conduct all futures that are made while the body runs, by it or by its child tasks.
  package static func conduct<Result>(
    by conductor: any Conductor,
    _ body: () async throws -> Result
  ) async rethrows -> Result {
    openScopes.add(1, ordering: .relaxed)
    defer { openScopes.subtract(1, ordering: .relaxed) }
    return try await $scope.withValue(conductor, operation: body)
  }
}
