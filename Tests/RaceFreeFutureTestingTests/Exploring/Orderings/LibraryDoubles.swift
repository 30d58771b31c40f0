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
