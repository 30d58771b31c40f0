// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Dispatch
internal import RaceFreeFuture

extension Explored {
  /// A lock with which threads can wait for changes that others make under it, in place of `NSCondition`.
  ///
  /// In a thread of a scenario all of its calls are steps. A signal may wake any waiting thread, so each of them is
  /// tried; and a wait may end without a signal, once in each thread. A wait that can't end is reported with the
  /// signals that came before it: a *lost wake-up*.
  public final class Condition: @unchecked Sendable {
    // Outside of an exploration: a lock, and its waiters. Inside of one all that follows is used by the one thread that
    // runs.
    private let realLock = OwnSemaphore.unnoticed { DispatchSemaphore(value: 1) }
    private let realWaiters = Locked<[DispatchSemaphore]>([])
    private let core: ExploredLock
    private var serial = 0
    private let waiters = ExploredWaiters()

    /// Creates a condition whose lock is free.
    public init(fileID: StaticString = #fileID, line: UInt = #line) {
      core = ExploredLock("condition", fileID, line)
    }

    private func enter(_ place: ExploredPlace) {
      guard serial != place.run.serial else { return }
      serial = place.run.serial
      waiters.begin()
    }

    /// Acquires the lock, waiting for it as long as necessary.
    public func lock() {
      if ExploredPlace.current == nil { realLock.wait() }
      core.lock()
    }

    /// Releases the lock.
    public func unlock() {
      core.unlock()
      if ExploredPlace.current == nil { realLock.signal() }
    }

    /// Runs a closure under the lock.
    ///
    /// - Parameter body: The closure to run.
    /// - Returns: The result of the closure.
    /// - Throws: The error of the closure.
    public func withLock<Result, E: Error>(_ body: () throws(E) -> Result) throws(E) -> Result {
      lock()
      defer { unlock() }
      return try body()
    }

    /// Releases the lock, waits for a signal, and acquires the lock again; the caller has to hold it.
    ///
    /// It may end without a signal, so check the awaited condition in a loop.
    public func wait() {
      guard let place = ExploredPlace.current else {
        let me = DispatchSemaphore(value: 0)
        // Added before the lock is released: a thread that signals under the lock from then on finds it.
        realWaiters.withLock { $0.append(me) }
        realLock.signal()
        me.wait()
        return realLock.wait()
      }
      enter(place)
      guard let thread = place.thread else {
        place.run.cannotWait(
          "\(place.run.currentStep) waits for \(core.fullName), and nobody else acts before it is over"
        )
      }
      _ = waiters.wait(
        thread,
        ExploredWaiters.Use(name: core.name, fullName: core.fullName, changes: core.changes, waits: core.waits),
        under: core
      )
    }

    /// Wakes one of the waiting threads, if there is any.
    public func signal() { wake("signal", all: false) }

    /// Wakes all waiting threads.
    public func broadcast() { wake("broadcast", all: true) }

    private func wake(_ verb: String, all: Bool) {
      guard let place = ExploredPlace.current else {
        let waiters = realWaiters.withLock { waiters in
          let woken = all ? waiters[...] : waiters.prefix(1)
          waiters.removeFirst(woken.count)
          return woken
        }
        for waiter in waiters { waiter.signal() }
        return
      }
      enter(place)
      waiters.wake(place, "\(core.name).\(verb)", core.changes, all: all)
    }
  }
}
