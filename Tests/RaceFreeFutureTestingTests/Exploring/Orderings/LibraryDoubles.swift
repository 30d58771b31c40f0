// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting
import Synchronization

// The library's own lock-free pieces, line by line, with explored primitives for the real ones and orderings that can be
// chosen. What they do besides is left out.

/// `LazyReference`.
@safe final class LazyReferenceDouble<Object: AnyObject & Sendable>: @unchecked Sendable {
  struct Orderings: Sendable {
    var load = AtomicLoadOrdering.acquiring
    var fill = AtomicUpdateOrdering.acquiringAndReleasing
  }

  private let orderings: Orderings
  private let reference = unsafe Explored.Atomic<Unmanaged<Object>?>(nil)

  init(_ orderings: Orderings) { self.orderings = orderings }

  /// What `deinit` does.
  func end(_ body: (Object) -> Void) {
    guard let object = unsafe reference.load(ordering: .relaxed) else { return }
    unsafe body(object.takeUnretainedValue())
    unsafe object.release()
  }

  var object: Object? { unsafe reference.load(ordering: orderings.load)?.takeUnretainedValue() }

  func fill(with object: Object) -> Object {
    let mine = unsafe Unmanaged.passRetained(object)
    let (exchanged, theirs) = unsafe reference.compareExchange(expected: nil, desired: mine, ordering: orderings.fill)
    guard !exchanged, let theirs = unsafe theirs else { return object }
    unsafe mine.release()
    return unsafe theirs.takeUnretainedValue()
  }
}

/// `Claim`, with the threads that wait for the end of a handler.
final class ClaimDouble: Sendable {
  struct Orderings: Sendable {
    var begin = AtomicUpdateOrdering.acquiringAndReleasing
    var end = AtomicUpdateOrdering.releasing
    var remove = AtomicUpdateOrdering.acquiringAndReleasing
    var park = AtomicUpdateOrdering.acquiringAndReleasing
    var isOver = AtomicLoadOrdering.acquiring
    var wait = AtomicLoadOrdering.acquiring
    var mark = AtomicUpdateOrdering.acquiring
  }

  private static let waiting: UInt = 0
  private static let removed: UInt = 1
  private static let finished: UInt = 3
  private static let unparked: UInt = 5
  private static let awaitedBit: UInt = 1
  private static let runner: UInt = 8

  private let orderings: Orderings
  private let value: Explored.Atomic<UInt>
  /// `HandlerWaits`.
  private let waits = Explored.Mutex<[Explored.Semaphore]>([])

  init(_ orderings: Orderings, isUnparked: Bool = false) {
    self.orderings = orderings
    value = Explored.Atomic(isUnparked ? Self.unparked : Self.waiting)
  }

  func begin() -> Bool { move(from: Self.waiting, to: Self.runner, orderings.begin) }

  func end() {
    let previous = value.exchange(Self.finished, ordering: orderings.end)
    guard previous & Self.awaitedBit != 0 else { return }
    let semaphores = waits.withLock { waits in
      defer { waits = [] }
      return waits
    }
    for semaphore in semaphores { semaphore.signal() }
  }

  func remove() -> Bool { move(from: Self.waiting, to: Self.removed, orderings.remove) }

  func park() -> Bool { move(from: Self.unparked, to: Self.waiting, orderings.park) }

  var isOver: Bool {
    let value = value.load(ordering: orderings.isOver)
    return value == Self.finished || value == Self.removed
  }

  var isRemoved: Bool { value.load(ordering: .relaxed) == Self.removed }

  func waitUntilReturned() {
    let semaphore = Explored.Semaphore(value: 0)
    waits.withLock { $0.append(semaphore) }
    var current = value.load(ordering: orderings.wait)
    while ![Self.waiting, Self.removed, Self.finished].contains(current) {
      let (exchanged, original) = value.compareExchange(
        expected: current,
        desired: current | Self.awaitedBit,
        ordering: orderings.mark
      )
      if exchanged { return semaphore.wait() }
      current = original
    }
    waits.withLock { waits in waits.removeAll { $0 === semaphore } }
  }

  private func move(from old: UInt, to new: UInt, _ ordering: AtomicUpdateOrdering) -> Bool {
    value.compareExchange(expected: old, desired: new, ordering: ordering).exchanged
  }
}

/// The outcome for those who only poll, beside the machine behind its lock.
final class PolledOutcomeDouble: Sendable {
  struct Orderings: Sendable {
    var store = AtomicStoreOrdering.releasing
    var load = AtomicLoadOrdering.acquiring
  }

  private let orderings: Orderings
  private let polled = Explored.Atomic(false)
  private let machine = Explored.Mutex(false)

  init(_ orderings: Orderings) { self.orderings = orderings }

  func complete() {
    machine.withLock { isResolved in
      isResolved = true
      if !polled.load(ordering: .relaxed) { polled.store(true, ordering: orderings.store) }
    }
  }

  var isResolved: Bool { polled.load(ordering: orderings.load) }
}
