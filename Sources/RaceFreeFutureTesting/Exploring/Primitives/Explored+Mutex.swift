// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

private import Synchronization

extension Explored {
  /// A value behind a lock, in the place of `Synchronization.Mutex`.
  ///
  /// In a thread of a scenario, taking and giving back the lock are steps. A circle of threads that wait for each other's
  /// locks, and a lock that is taken twice by one thread, are failures of the order and not the end of the program.
  public struct Mutex<Value: ~Copyable>: ~Copyable, Sendable {
    // In an exploration it is free whenever it is taken: who may take it has been told by `core`.
    private let real: Synchronization.Mutex<Value>
    private let core: ExploredLock

    /// Makes a free mutex.
    ///
    /// - Parameters:
    ///   - initialValue: Its first value.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    public init(_ initialValue: consuming sending Value, fileID: StaticString = #fileID, line: UInt = #line) {
      real = Synchronization.Mutex(initialValue)
      core = ExploredLock("mutex", fileID, line)
    }

    /// Takes the lock, waiting for it as long as it has to, and runs a closure with the value.
    ///
    /// - Parameter body: What to do with the value.
    /// - Returns: What the closure returned.
    /// - Throws: What the closure threw.
    public borrowing func withLock<Result: ~Copyable, E: Error>(
      _ body: (inout sending Value) throws(E) -> sending Result
    ) throws(E) -> sending Result {
      core.lock()
      // The real one is free before the next thread is let in.
      defer { core.unlock() }
      return try real.withLock { value throws(E) in
        core.wasTaken()
        defer { core.willBeGiven() }
        return try body(&value)
      }
    }

    /// Takes the lock if it is free, and runs a closure with the value.
    ///
    /// - Parameter body: What to do with the value.
    /// - Returns: What the closure returned; nil if the lock was taken.
    /// - Throws: What the closure threw.
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

#if RFF_TSAN
  // As `Locked` of the library says it: ThreadSanitizer sees only the inlined fast path of a mutex.
  @_silgen_name("__tsan_acquire") private func tsanAcquire(_ address: UnsafeRawPointer)
  @_silgen_name("__tsan_release") private func tsanRelease(_ address: UnsafeRawPointer)
#endif

/// Who holds a lock in an exploration; outside of one it does nothing.
///
/// Used by the one thread of an exploration that runs: that makes it `@unchecked Sendable`.
final class ExploredLock: @unchecked Sendable {
  private let identity: ExploredIdentity
  private var holder: ExploredThread?
  private var isHeldByStep = false
  /// What the next holder learns.
  private var released = MemoryModel.Knowledge()

  init(_ kind: String, _ file: StaticString, _ line: UInt) {
    identity = ExploredIdentity(kind, file, line)
    // Known from the beginning, so that locks are numbered in the order in which they are made.
    if let place = ExploredPlace.current { enter(place, isBeingMade: true) }
  }

  /// Tells ThreadSanitizer what the real lock orders.
  func wasTaken() {
    #if RFF_TSAN
      unsafe tsanAcquire(UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()))
    #endif
  }

  func willBeGiven() {
    #if RFF_TSAN
      unsafe tsanRelease(UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()))
    #endif
  }

  var name: String { identity.name }
  var fullName: String { identity.fullName }
  var changes: Set<String> { identity.changes }
  var isFree: Bool { holder == nil && !isHeldByStep }

  private func enter(_ place: ExploredPlace, isBeingMade: Bool = false) {
    guard identity.enter(place, isBeingMade: isBeingMade) else { return }
    (holder, isHeldByStep, released) = (nil, false, MemoryModel.Knowledge())
  }

  /// Why somebody who wants it can't go on.
  func waits(_ thread: ExploredThread) -> String {
    let run = thread.run
    guard let holder else { return "waits for \(fullName)" }
    let held = run.threads.locks[thread.line, default: []].map(\.name)
    let own = held.isEmpty ? "" : "holds \(held.joined(separator: ", ")) and "
    return "\(own)waits for \(fullName), which \"\(run.title(of: holder.line))\" holds"
  }

  func lock() {
    guard let place = ExploredPlace.current else { return }
    enter(place)
    guard let thread = place.thread else { return lock(inStepOf: place.run) }
    if holder === thread {
      _ = thread.take(operation("lock", of: thread))
      let who = "\"\(place.run.title(of: thread.line))\""
      thread.fail("\(who) locks \(fullName), which it holds already: it waits for itself")
    }
    var operation = operation("lock", of: thread)
    operation.ways = { [self] in isFree ? [0] : [] }
    _ = thread.take(operation)
    take(by: thread)
  }

  func lockIfFree() -> Bool {
    guard let place = ExploredPlace.current else { return true }
    enter(place)
    guard let thread = place.thread else {
      guard isFree else { return false }
      if !place.run.isLooking { lock(inStepOf: place.run) }
      return true
    }
    _ = thread.take(operation("lock if free", of: thread))
    guard isFree else {
      place.run.note(false)
      return false
    }
    take(by: thread)
    return true
  }

  func unlock() {
    guard let place = ExploredPlace.current else { return }
    guard let thread = place.thread else {
      if !place.run.isLooking { (isHeldByStep, released) = (false, place.run.threads.memory.release(by: 0)) }
      return
    }
    if holder !== thread {
      _ = thread.take(operation("unlock", of: thread))
      thread.fail("\"\(place.run.title(of: thread.line))\" unlocks \(fullName), which it doesn't hold")
    }
    _ = thread.take(operation("unlock", of: thread))
    give(by: thread)
  }

  private func operation(_ verb: String, of thread: ExploredThread) -> ThreadOperation {
    identity.isUsed(by: thread)
    let name = name
    return ThreadOperation(
      label: { "\(verb) \(name)" },
      touches: changes,
      waits: { [self] in waits(thread) }
    )
  }

  /// Gives the lock to a thread, which was told to go on because it is free.
  func take(by thread: ExploredThread) {
    holder = thread
    thread.run.threads.locks[thread.line, default: []].append(self)
    thread.run.threads.memory.acquire(released, by: thread.number)
  }

  /// Takes the lock from the thread that holds it.
  func give(by thread: ExploredThread) {
    holder = nil
    thread.run.threads.locks[thread.line]?.removeAll { $0 === self }
    released = thread.run.threads.memory.release(by: thread.number)
  }

  func isHeld(by thread: ExploredThread) -> Bool { holder === thread }

  private func lock(inStepOf run: OrderRun) {
    if !isFree {
      let who = holder.map { "\"\(run.title(of: $0.line))\" holds" } ?? "it holds itself"
      run.cannotWait("\(run.currentStep) waits for \(fullName), which \(who), and nobody else acts before it is over")
    }
    guard !run.isLooking else { return }
    isHeldByStep = true
    run.threads.memory.acquire(released, by: 0)
  }
}
