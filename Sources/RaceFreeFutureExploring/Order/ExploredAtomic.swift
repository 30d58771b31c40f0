// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import RaceFreeFuture

/// An atomic in bits: in an exploration a location of its memory model.
///
/// Everything but `newest` is used by the one thread of an exploration that runs: that makes it `@unchecked Sendable`.
final class ExploredAtomic: @unchecked Sendable {
  typealias Bits = MemoryModel.Bits
  typealias Ordering = MemoryModel.Ordering

  /// The value for code outside of explorations, and for code after one.
  private let newest: Locked<Bits>
  private let identity: ExploredIdentity
  private let describe: (Bits) -> String
  private var location = 0

  init(_ bits: Bits, _ describe: @escaping (Bits) -> String, _ file: StaticString, _ line: UInt) {
    newest = Locked(bits)
    identity = ExploredIdentity("atomic", file, line)
    self.describe = describe
    if let place = ExploredPlace.current { enter(place, isBeingMade: true) }
  }

  private func enter(_ place: ExploredPlace, isBeingMade: Bool = false) {
    guard identity.enter(place, isBeingMade: isBeingMade) else { return }
    location = place.run.threads.memory.addLocation(newest.withLock { $0 }, by: place.thread?.number ?? 0)
  }

  // MARK: Accesses

  func load(_ ordering: Ordering) -> Bits {
    guard let place = ExploredPlace.current else { return newest.withLock { $0 } }
    enter(place)
    let (run, location) = (place.run, location)
    guard let thread = place.thread else {
      return run.turns.isLooking
        ? run.threads.memory.value(location) : run.threads.memory.load(location, by: 0, ordering)
    }
    var operation = operation("load(\(ordering.words))", of: thread)
    operation.touches = identity.looks
    operation.mayLook = true
    if thread.carrier == nil {
      operation.ways = {
        let (count, isAll) = run.threads.memory.readable(location, by: thread.number, ordering)
        if !isAll { run.leftOut.insert(.staleReads) }
        return Array(0..<count)
      }
    }
    let age = thread.take(operation)
    noteSequence(age, ordering, run)
    let bits = run.threads.memory.load(location, age: age, by: thread.number, ordering)
    noteLook(bits, age: age, thread)
    return bits
  }

  func store(_ bits: Bits, _ ordering: Ordering) {
    guard let place = ExploredPlace.current else { return newest.withLock { $0 = bits } }
    enter(place)
    if let thread = place.thread {
      let describe = describe
      _ = thread.take(operation({ "store(\(describe(bits)), \(ordering.words))" }, of: thread))
    }
    place.run.threads.memory.store(bits, location, by: place.thread?.number ?? 0, ordering)
    newest.withLock { $0 = bits }
  }

  /// Replaces the newest value, and returns it.
  func update(_ name: String, _ ordering: Ordering, _ change: (Bits) -> Bits) -> Bits {
    guard let place = ExploredPlace.current else {
      return newest.withLock { newest in
        defer { newest = change(newest) }
        return newest
      }
    }
    enter(place)
    if let thread = place.thread {
      var operation = operation("\(name)(\(ordering.words))", of: thread)
      operation.mayLook = true
      _ = thread.take(operation)
    }
    let old = place.run.threads.memory.update(location, by: place.thread?.number ?? 0, ordering, change)
    let new = place.run.threads.memory.value(location)
    newest.withLock { $0 = new }
    if let thread = place.thread {
      noteUpdate(from: old, to: new, by: thread)
      place.run.note("\(describe(old)), now \(describe(new))")
    }
    return old
  }

  func compareExchange(
    _ expected: Bits,
    _ desired: Bits,
    _ success: Ordering,
    _ failure: Ordering,
    isWeak: Bool
  ) -> (exchanged: Bool, original: Bits) {
    guard let place = ExploredPlace.current else {
      return newest.withLock { newest in
        let original = newest
        if original == expected { newest = desired }
        return (original == expected, original)
      }
    }
    enter(place)
    let (run, location) = (place.run, location)
    let number = place.thread?.number ?? 0
    var way = 0
    if let thread = place.thread {
      let (describe, verb) = (describe, isWeak ? "weakCompareExchange" : "compareExchange")
      var operation = operation(
        { "\(verb)(\(describe(expected)) → \(describe(desired)), \(success.words))" },
        of: thread
      )
      operation.mayLook = true
      operation.touches = identity.looks
      operation.ways = {
        let memory = run.threads.memory
        // An old value can't be replaced; one that isn't the expected one may be found, though.
        let (count, isAll) = thread.carrier == nil ? memory.readable(location, by: number, failure) : (1, true)
        if !isAll { run.leftOut.insert(.staleReads) }
        let stale = (0..<count).dropFirst()
          .filter { memory.value(location, age: $0) != expected }
        // Any number of times in a row would be a loop without end.
        let mightFail = isWeak && memory.value(location) == expected
        let mayFail = mightFail && !thread.failedWithoutReason.contains(location)
        if mightFail, !mayFail { run.leftOut.insert(.weakExchanges) }
        return [0] + stale + (mayFail ? [Self.withoutReason] : [])
      }
      way = thread.take(operation)
    }
    if way == 0, run.threads.memory.value(location) == expected {
      run.trail.use(identity.changes)
      let original = run.threads.memory.update(location, by: number, success) { _ in desired }
      newest.withLock { $0 = desired }
      if let thread = place.thread {
        thread.failedWithoutReason.remove(location)
        noteUpdate(from: original, to: desired, by: thread)
        run.note("exchanged")
      }
      return (true, original)
    }
    let age = way == Self.withoutReason ? 0 : way
    noteSequence(age, failure, run)
    let original = run.threads.memory.load(location, age: age, by: number, failure)
    if let thread = place.thread {
      if way == Self.withoutReason { thread.failedWithoutReason.insert(location) }
      noteLook(original, age: age, thread)
    }
    return (false, original)
  }

  /// The way in which a weak exchange fails although the value is the expected one.
  private static let withoutReason = 1_000_000

  /// Notes that a load is ordered among other sequentially consistent ones, if it tells them something new.
  private func noteSequence(_ age: Int, _ ordering: Ordering, _ run: OrderRun) {
    guard ordering.isSequential else { return }
    run.trail.use(identity.sequence(adds: !run.threads.memory.isInSequence(location, age: age)))
  }

  private func noteLook(_ bits: Bits, age: Int, _ thread: ExploredThread) {
    thread.run.note(look: identity.name, bits, by: thread)
    thread.run.note(describe(bits) + (age == 0 ? "" : OrderDiagram.outOfDate))
  }

  /// Notes a replacement of the value: by the same value, it is a look.
  private func noteUpdate(from old: Bits, to new: Bits, by thread: ExploredThread) {
    if old == new { thread.run.note(look: identity.name, old, by: thread) } else { thread.looks = [:] }
  }

  private func operation(_ text: String, of thread: ExploredThread) -> ThreadOperation {
    operation({ text }, of: thread)
  }

  private func operation(_ text: @escaping () -> String, of thread: ExploredThread) -> ThreadOperation {
    identity.isUsed(by: thread)
    let name = identity.name
    return ThreadOperation(label: { "\(name).\(text())" }, touches: identity.changes)
  }
}
