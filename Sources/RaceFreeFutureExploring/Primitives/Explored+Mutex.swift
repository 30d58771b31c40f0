// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

private import Synchronization

extension Explored {
  /// A value behind a lock, in place of `Synchronization.Mutex`.
  ///
  /// In a thread of a scenario, acquiring and releasing the lock are steps. A cycle of threads that wait for each
  /// other's locks, and a lock that one thread acquires twice, are failures of the order and don't stop the program.
  public struct Mutex<Value: ~Copyable>: ~Copyable, Sendable {
    // In an exploration it is free whenever it is acquired: `core` has decided which thread may acquire it.
    private let real: Synchronization.Mutex<Value>
    private let core: ExploredLock

    /// Creates a free mutex.
    ///
    /// - Parameter initialValue: The initial value.
    public init(_ initialValue: consuming sending Value, fileID: StaticString = #fileID, line: UInt = #line) {
      real = Synchronization.Mutex(initialValue)
      core = ExploredLock("mutex", fileID, line)
    }

    /// Acquires the lock, waiting for it as long as necessary, and runs a closure with the value.
    ///
    /// - Parameter body: The closure to run with the value.
    /// - Returns: The result of the closure.
    /// - Throws: The error of the closure.
    public borrowing func withLock<Result: ~Copyable, E: Error>(
      _ body: (inout sending Value) throws(E) -> sending Result
    ) throws(E) -> sending Result {
      core.lock()
      // The real lock is free before the next thread continues.
      defer { core.unlock() }
      return try real.withLock { value throws(E) in
        core.wasTaken()
        defer { core.willBeGiven() }
        return try body(&value)
      }
    }

    /// Acquires the lock if it is free, and runs a closure with the value.
    ///
    /// - Parameter body: The closure to run with the value.
    /// - Returns: The result of the closure; nil if the lock was held.
    /// - Throws: The error of the closure.
    public borrowing func withLockIfAvailable<Result: ~Copyable, E: Error>(
      _ body: (inout sending Value) throws(E) -> sending Result
    ) throws(E) -> sending Result? {
      guard core.lockIfFree() else { return nil }
      defer { core.unlock() }
      return try real.withLockIfAvailable { value throws(E) in
        core.wasTaken()
        defer { core.willBeGiven() }
        return try body(&value)
      }
    }
  }
}
