// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import CExploring
internal import RaceFreeFuture

/// A mutex of the system in an order: that of an `NSLock`, of an `NSRecursiveLock`, or of the user's own.
///
/// The real one is taken as well, when the order has decided that it is free: for code that isn't driven. Used by the one
/// thread of an order that runs: that makes it, as the other kinds, `@unchecked Sendable`.
final class DrivenLock: @unchecked Sendable {
  let core: ExploredLock
  let identity: ExploredIdentity
  private let address: UInt
  private var depth = 0
  private var isTaken = false

  init(_ run: OrderRun, _ address: UInt) {
    self.address = address
    identity = run.drivenIdentity("lock")
    core = ExploredLock(identity, isBeingMade: false)
  }

  private var isRecursive: Bool { rff_kindOfMutex(address) == 1 }

  func takeReal() {
    _ = rff_callNext(Int32(rff_call_pthread_mutex_lock), address)
    isTaken = true
  }

  func giveReal() {
    isTaken = false
    _ = rff_callNext(Int32(rff_call_pthread_mutex_unlock), address)
  }

  func lock(_ place: ExploredPlace) -> UInt {
    if core.isHeld(at: place) {
      if isRecursive { depth += 1 }
      if isRecursive { return 0 }
      if rff_kindOfMutex(address) == 2 { return ErrorNumber.deadlock }
    }
    core.lock()
    takeReal()
    return 0
  }

  func lockIfFree(_ place: ExploredPlace) -> UInt {
    if core.isHeld(at: place), isRecursive {
      depth += 1
      return 0
    }
    guard core.lockIfFree() else { return ErrorNumber.busy }
    takeReal()
    return 0
  }

  func lock(_ place: ExploredPlace, within delay: Int64) -> UInt {
    if core.isHeld(at: place) { return isRecursive ? lock(place) : ErrorNumber.timedOut }
    let isFree = place.run.wait(
      place,
      "lock \(identity.name)",
      identity,
      for: delay,
      { [core] in place.thread.map(core.waits) ?? "waits for \(core.fullName)" },
      isReady: { [core] in core.isFree }
    )
    guard isFree else { return ErrorNumber.timedOut }
    if let thread = place.thread { core.take(by: thread) } else { core.lock() }
    takeReal()
    return 0
  }

  /// Returns false if the running code doesn't hold it in this order.
  func unlock(_ place: ExploredPlace) -> Bool {
    guard core.isHeld(at: place) else { return false }
    if depth > 0 {
      depth -= 1
      return true
    }
    core.unlock()
    giveReal()
    return true
  }

  /// Gives the real one back when the order is over.
  func giveBack() { if isTaken { giveReal() } }
}

/// A condition of the system in an order: that of an `NSCondition`, or of the user's own.
final class DrivenCondition: @unchecked Sendable {
  private let identity: ExploredIdentity
  private let waiters = ExploredWaiters()

  init(_ run: OrderRun, _ place: ExploredPlace) {
    identity = run.drivenIdentity("condition")
    _ = identity.enter(place)
  }

  /// Waits under a lock that the running code holds; returns false if a time is over before.
  func wait(_ place: ExploredPlace, under lock: DrivenLock, for delay: Int64? = nil) -> Bool {
    let run = place.run
    guard let thread = place.thread else {
      if delay != nil { return false }
      run.cannotWait("\(run.currentStep) waits for \(identity.fullName), and nobody else acts before it is over")
    }
    var changes = identity.changes
    changes.add(lock.core.gives)
    var waits = identity.changes
    waits.add(lock.core.takes)
    if delay != nil { waits.add(.timers, .write) }
    let use = ExploredWaiters.Use(name: identity.name, fullName: identity.fullName, changes: changes, waits: waits)
    // Nobody else runs before the wait's second step.
    let isSignalled = waiters.wait(thread, use, under: lock.core, for: delay) { lock.giveReal() }
    lock.takeReal()
    return isSignalled
  }

  func wake(_ place: ExploredPlace, _ verb: String, all: Bool) {
    waiters.wake(place, "\(identity.name).\(verb)", identity.changes, all: all)
  }
}

/// A read-write lock of the system in an order.
final class DrivenReadWriteLock: @unchecked Sendable {
  private let address: UInt
  private let identity: ExploredIdentity
  /// Stands for it where only the name of a lock is needed that somebody holds.
  private let core: ExploredLock
  private var readers: [Int] = []
  private var writer: Int?
  private var released = MemoryModel.Knowledge()

  init(_ run: OrderRun, _ address: UInt, _ place: ExploredPlace) {
    self.address = address
    identity = run.drivenIdentity("read-write lock")
    core = ExploredLock(identity, isBeingMade: false)
    _ = identity.enter(place)
  }

  func lock(_ place: ExploredPlace, writes: Bool, waits: Bool) -> UInt {
    let run = place.run
    let me = place.thread?.line ?? -1
    let isFree = { [self] in writer == nil && (!writes || readers.isEmpty) }
    if waits, let thread = place.thread, writer == me || writes && readers.contains(me) {
      _ = thread.take(ThreadOperation(label: { "lock" }, touches: identity.changes))
      thread.fail(
        "\"\(run.title(of: me))\" locks \(identity.fullName), which it holds already: it waits for itself"
      )
    }
    let verb = writes ? "lock \(identity.name) to write" : "lock \(identity.name) to read"
    let isTaken = run.wait(
      place,
      verb,
      identity,
      for: waits ? nil : 0,
      { [self] in
        let holder = writer ?? readers.first
        return "waits for \(identity.fullName)\(holder.map { ", which \"\(run.title(of: $0))\" holds" } ?? "")"
      },
      isReady: isFree
    )
    guard isTaken else { return ErrorNumber.busy }
    if writes { writer = me } else { readers.append(me) }
    run.threads.locks[me, default: []].append(core)
    run.threads.memory.acquire(released, by: place.thread?.number ?? 0)
    _ = rff_callNext(Int32(writes ? rff_call_pthread_rwlock_wrlock : rff_call_pthread_rwlock_rdlock), address)
    return 0
  }

  /// Returns false if the running code doesn't hold it in this order.
  func unlock(_ place: ExploredPlace) -> Bool {
    let me = place.thread?.line ?? -1
    guard writer == me || readers.contains(me) else { return false }
    let name = identity.name
    if let thread = place.thread {
      _ = thread.take(ThreadOperation(label: { "unlock \(name)" }, touches: identity.changes))
    }
    if writer == me { writer = nil } else if let index = readers.firstIndex(of: me) { readers.remove(at: index) }
    if let index = place.run.threads.locks[me]?.firstIndex(where: { $0 === core }) {
      place.run.threads.locks[me]?.remove(at: index)
    }
    released.learn(place.run.threads.memory.release(by: place.thread?.number ?? 0))
    _ = rff_callNext(Int32(rff_call_pthread_rwlock_unlock), address)
    return true
  }

  func giveBack() {
    for _ in 0..<(readers.count + (writer == nil ? 0 : 1)) {
      _ = rff_callNext(Int32(rff_call_pthread_rwlock_unlock), address)
    }
  }
}

/// The errors of the C library that calls return.
enum ErrorNumber {
  static let deadlock: UInt = 35
  static let busy: UInt = 16
  static let timedOut: UInt = 110
}
