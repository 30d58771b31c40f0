// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// What the kernels share. Outside of an exploration the types of `Explored` behave as the real ones; a build with
// `-Xswiftc -DPLAIN` is without them, for other tools. ThreadSanitizer knows the locks of Foundation; of the mutex of
// Synchronization it sees too little on Linux, and is alarmed by programs without a mistake.
#if PLAIN
  import Foundation

  struct Mutex<Value>: ~Copyable, @unchecked Sendable {
    /// The value is under the lock.
    private final class Storage {
      let lock = NSLock()
      var value: Value
      init(_ value: Value) { self.value = value }
    }

    private let storage: Storage

    init(_ value: Value) { storage = Storage(value) }

    func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
      storage.lock.withLock { body(&storage.value) }
    }
  }

  typealias RealMutex = Mutex
  typealias Semaphore = DispatchSemaphore

  final class Cell<Value>: @unchecked Sendable {
    var value: Value
    init(_ value: Value) { self.value = value }
  }
#else
  import RaceFreeFutureTesting
  import Synchronization

  typealias Mutex = Explored.Mutex
  /// A mutex at which the explorer doesn't stop.
  typealias RealMutex = Synchronization.Mutex
  typealias Semaphore = Explored.Semaphore
  typealias Cell = Explored.Cell
#endif
