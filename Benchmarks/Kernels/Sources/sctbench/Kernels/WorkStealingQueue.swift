// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting

/// A queue whose owner pushes and pops at the tail, while thieves take from the head under a lock (the protocol THE of
/// Cilk: Frigo, Leiserson and Randall, 1998).
///
/// Head and tail are read and written by interlocked operations in the original: here by sequentially consistent ones.
final class WorkStealingQueue {
  private let lock: any WorkLock
  private let head = Explored.Atomic(0)
  private let tail = Explored.Atomic(0)
  private let elements = Variable([0, 0])
  private var mask = 1
  /// False if an item may be pushed where one is being stolen.
  private let leavesRoom: Bool
  private let log: CallLog?

  init(_ lock: any WorkLock, leavesRoom: Bool, log: CallLog? = nil) {
    (self.lock, self.leavesRoom, self.log) = (lock, leavesRoom, log)
  }

  private func read(_ end: borrowing Explored.Atomic<Int>, _ thread: Int) throws(Bug) -> Int {
    try log?.notes(thread)
    return end.load(ordering: .sequentiallyConsistent)
  }

  private func write(_ value: Int, _ end: borrowing Explored.Atomic<Int>, _ thread: Int) throws(Bug) {
    try log?.notes(thread)
    end.store(value, ordering: .sequentiallyConsistent)
  }

  private func locked<Result>(_ thread: Int, _ body: () throws(Bug) -> Result) throws(Bug) -> Result {
    try log?.enters(thread)
    lock.lock()
    let result = try body()
    lock.unlock()
    try log?.leaves(thread)
    return result
  }

  func steal(_ thread: Int) throws(Bug) -> Int? {
    try locked(thread) { () throws(Bug) in
      let first = try read(head, thread)
      try write(first + 1, head, thread)
      if first < (try read(tail, thread)) { return elements.value[first & mask] }
      try write(first, head, thread)
      return nil
    }
  }

  func pop(_ thread: Int) throws(Bug) -> Int? {
    try log?.enters(thread)
    let last = try read(tail, thread) - 1
    try write(last, tail, thread)
    let item: Int?
    if try read(head, thread) <= last {
      item = elements.value[last & mask]
    } else {
      try write(last + 1, tail, thread)
      item = try popAlone(thread)
    }
    try log?.leaves(thread)
    return item
  }

  /// Pops while nobody steals.
  private func popAlone(_ thread: Int) throws(Bug) -> Int? {
    try locked(thread) { () throws(Bug) in
      let last = try read(tail, thread) - 1
      try write(last, tail, thread)
      var item: Int?
      if try read(head, thread) <= last {
        item = elements.value[last & mask]
      } else {
        try write(last + 1, tail, thread)
      }
      if try read(head, thread) > last {
        try write(0, head, thread)
        try write(0, tail, thread)
        item = nil
      }
      return item
    }
  }

  func push(_ item: Int, _ thread: Int) throws(Bug) {
    try log?.enters(thread)
    let end = try read(tail, thread)
    if end < (try read(head, thread)) + mask + (leavesRoom ? 0 : 1) {
      elements.value[end & mask] = item
      try write(end + 1, tail, thread)
    } else {
      try pushAlone(item, thread)
    }
    try log?.leaves(thread)
  }

  /// Pushes while nobody steals, after it has made room.
  private func pushAlone(_ item: Int, _ thread: Int) throws(Bug) {
    try locked(thread) { () throws(Bug) in
      var first = try read(head, thread)
      let count = try read(tail, thread) - first
      first &= mask
      try write(first, head, thread)
      try write(first + count, tail, thread)
      if count >= mask {
        let old = elements.value
        let kept = (0..<count).map { old[(first + $0) & mask] }
        elements.value = kept + [Int](repeating: 0, count: 2 * old.count - count)
        mask = 2 * old.count - 1
        try write(0, head, thread)
        try write(count, tail, thread)
      }
      try check(count < mask, "there is no room")
      let end = try read(tail, thread)
      elements.value[end & mask] = item
      try write(end + 1, tail, thread)
    }
  }
}

protocol WorkLock {
  func lock()
  func unlock()
}

extension Explored.Condition: WorkLock {}

/// A lock that is asked for again and again.
final class SpinLock: WorkLock {
  private let isLocked = Explored.Atomic(false)

  func lock() { while isLocked.exchange(true, ordering: .sequentiallyConsistent) {} }

  func unlock() { isLocked.store(false, ordering: .sequentiallyConsistent) }
}

/// The calls that each thread is in: a stack for each, in an array that grows.
///
/// In the original a resizing is many accesses; here it is one.
final class CallLog {
  private let calls = Variable([[0]])

  func enters(_ thread: Int) throws(Bug) {
    if calls.value.count <= thread {
      // Somebody else may have made it larger meanwhile: then this makes it smaller.
      calls.value = Array((calls.value + [[], []]).prefix(thread + 1))
    }
    try change(thread, isFirst: true) { $0.append(0) }
  }

  /// Notes where in its call a thread is.
  func notes(_ thread: Int) throws(Bug) { try change(thread) { $0[$0.count - 1] += 1 } }

  func leaves(_ thread: Int) throws(Bug) { try change(thread) { $0.removeLast() } }

  private func change(_ thread: Int, isFirst: Bool = false, _ change: (inout [Int]) -> Void) throws(Bug) {
    var isMissing = false
    func changeOwn(_ calls: inout [[Int]]) {
      isMissing = calls.count <= thread || calls[thread].isEmpty && !isFirst
      if !isMissing { change(&calls[thread]) }
    }
    changeOwn(&calls.value)
    try check(!isMissing, "the log has lost the calls of a thread")
  }
}
