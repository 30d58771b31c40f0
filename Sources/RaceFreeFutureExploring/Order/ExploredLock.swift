// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import RaceFreeFuture

/// The state of a lock in an exploration, with its holder; outside of one it does nothing.
///
/// Used by the one thread of an exploration that runs: that makes it `@unchecked Sendable`.
final class ExploredLock: @unchecked Sendable {
  private let identity: ExploredIdentity
  private var holder: ExploredThread?
  private var isHeldByStep = false
  /// The knowledge that the next holder acquires.
  private var released = MemoryModel.Knowledge()

  convenience init(_ kind: String, _ file: StaticString, _ line: UInt) {
    self.init(ExploredIdentity(kind, file, line))
  }

  init(_ identity: ExploredIdentity, isBeingMade: Bool = true) {
    self.identity = identity
    // Registered from the beginning, so that locks are numbered in the order in which they are made.
    if let place = ExploredPlace.current { enter(place, isBeingMade: isBeingMade) }
  }

  /// Tells ThreadSanitizer the order that the real lock establishes.
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
  var changes: Footprint { identity.changes }
  var waits: Footprint { identity.waits }
  var takes: Footprint { identity.takes }
  var gives: Footprint { identity.gives }
  var isFree: Bool { holder == nil && !isHeldByStep }

  private func enter(_ place: ExploredPlace, isBeingMade: Bool = false) {
    guard identity.enter(place, isBeingMade: isBeingMade) else { return }
    (holder, isHeldByStep, released) = (nil, false, MemoryModel.Knowledge())
  }

  /// Returns the reason that a thread which wants the lock can't continue.
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
    operation.touches = identity.takes
    operation.ways = { [self] in isFree ? [0] : [] }
    _ = thread.take(operation)
    take(by: thread)
  }

  func lockIfFree() -> Bool {
    guard let place = ExploredPlace.current else { return true }
    enter(place)
    guard let thread = place.thread else {
      guard isFree else { return false }
      if !place.run.turns.isLooking { lock(inStepOf: place.run) }
      return true
    }
    var operation = operation("lock if free", of: thread)
    operation.mayLook = true
    _ = thread.take(operation)
    guard isFree else {
      place.run.note(look: name, 0, by: thread)
      place.run.note(false)
      return false
    }
    thread.looks = [:]
    take(by: thread)
    return true
  }

  func unlock() {
    guard let place = ExploredPlace.current else { return }
    guard let thread = place.thread else {
      if !place.run.turns.isLooking { (isHeldByStep, released) = (false, place.run.threads.memory.release(by: 0)) }
      return
    }
    if holder !== thread {
      _ = thread.take(operation("unlock", of: thread))
      thread.fail("\"\(place.run.title(of: thread.line))\" unlocks \(fullName), which it doesn't hold")
    }
    var operation = operation("unlock", of: thread)
    operation.touches = identity.gives
    _ = thread.take(operation)
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

  /// Gives the lock to a thread, which was continued because the lock is free.
  func take(by thread: ExploredThread) {
    holder = thread
    thread.run.takes(.explored(ObjectIdentifier(self)), named: fullName)
    thread.run.threads.locks[thread.line, default: []].append(self)
    thread.run.threads.memory.acquire(released, by: thread.number)
  }

  /// Releases the lock of the thread that holds it.
  func give(by thread: ExploredThread) {
    holder = nil
    thread.run.threads.locks[thread.line]?.removeAll { $0 === self }
    released = thread.run.threads.memory.release(by: thread.number)
  }

  func isHeld(by thread: ExploredThread) -> Bool { holder === thread }

  /// Returns true if the running code holds it: its thread, or the step.
  func isHeld(at place: ExploredPlace) -> Bool { place.thread.map(isHeld) ?? isHeldByStep }

  private func lock(inStepOf run: OrderRun) {
    if !isFree {
      let who = holder.map { "\"\(run.title(of: $0.line))\" holds" } ?? "it holds itself"
      run.cannotWait("\(run.currentStep) waits for \(fullName), which \(who), and nobody else acts before it is over")
    }
    guard !run.turns.isLooking else { return }
    isHeldByStep = true
    run.threads.memory.acquire(released, by: 0)
  }
}
