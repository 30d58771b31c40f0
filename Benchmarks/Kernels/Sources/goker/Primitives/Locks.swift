// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting

/// A lock for tasks, which may be held while its holder is suspended: Go's `sync.Mutex`.
final class TaskLock: Sendable {
  private let isHeld: Monitor<Bool>

  init(fileID: StaticString = #fileID, line: UInt = #line) { isHeld = Monitor(false, fileID, line) }

  @inline(never)
  func lock() async {
    await isHeld.wait { isHeld in
      defer { isHeld = true }
      return !isHeld
    }
  }

  func unlock() { isHeld.change { $0 = false } }

  func withLock<Result>(_ body: () async throws -> Result) async rethrows -> Result {
    await lock()
    defer { unlock() }
    return try await body()
  }
}

/// A lock for tasks that read together and write alone; a writer that waits keeps new readers out: Go's `sync.RWMutex`.
final class ReadWriteLock: Sendable {
  private let holders: Monitor<(readers: Int, isWritten: Bool, waitingWriters: Int)>

  init(fileID: StaticString = #fileID, line: UInt = #line) { holders = Monitor((0, false, 0), fileID, line) }

  @inline(never)
  func readLock() async {
    await holders.wait { holders in
      guard !holders.isWritten, holders.waitingWriters == 0 else { return false }
      holders.readers += 1
      return true
    }
  }

  func readUnlock() { holders.change { $0.readers -= 1 } }

  @inline(never)
  func lock() async {
    holders.change { $0.waitingWriters += 1 }
    await holders.wait { holders in
      guard !holders.isWritten, holders.readers == 0 else { return false }
      holders = (0, true, holders.waitingWriters - 1)
      return true
    }
  }

  func unlock() { holders.change { $0.isWritten = false } }

  func withReadLock<Result>(_ body: () async throws -> Result) async rethrows -> Result {
    await readLock()
    defer { readUnlock() }
    return try await body()
  }

  func withLock<Result>(_ body: () async throws -> Result) async rethrows -> Result {
    await lock()
    defer { unlock() }
    return try await body()
  }
}

/// A place where tasks that hold a lock wait for a signal: Go's `sync.Cond`.
final class TaskCondition: Sendable {
  private let lock: TaskLock
  private let waiting: Explored.Mutex<[CheckedContinuation<Void, Never>]>

  init(_ lock: TaskLock, fileID: StaticString = #fileID, line: UInt = #line) {
    self.lock = lock
    waiting = Explored.Mutex([], fileID: fileID, line: line)
  }

  /// Releases the lock, waits for a signal, and takes the lock again.
  @inline(never)
  func wait() async {
    await withCheckedContinuation { continuation in
      waiting.withLock { $0.append(continuation) }
      lock.unlock()
    }
    await lock.lock()
  }

  func signal() { waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }?.resume() }

  func broadcast() {
    let woken = waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
    for continuation in woken { continuation.resume() }
  }
}

/// A count of what isn't done yet: Go's `sync.WaitGroup`.
final class WaitGroup: Sendable {
  private let count: Monitor<Int>

  init(_ count: Int = 0, fileID: StaticString = #fileID, line: UInt = #line) {
    self.count = Monitor(count, fileID, line)
  }

  func add(_ number: Int) { count.change { $0 += number } }

  func done() { count.change { $0 -= 1 } }

  @inline(never)
  func wait() async { await count.wait { $0 == 0 } }
}

/// Something that is done once, and is over for all that want it: Go's `sync.Once`.
final class Once: Sendable {
  private let first = Flag()
  private let isOver: Monitor<Bool>

  init(fileID: StaticString = #fileID, line: UInt = #line) { isOver = Monitor(false, fileID, line) }

  @inline(never)
  func run(_ body: () async -> Void) async {
    guard first.take() else { return await isOver.wait { $0 } }
    await body()
    isOver.change { $0 = true }
  }
}

/// A lock for threads that is released by hand: Go's `sync.Mutex`, where a closure can't show the mistake.
typealias Lock = Explored.Condition
