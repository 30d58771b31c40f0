// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import Synchronization

/// Objects with one thing wrong each, which a linearizability stress has to find. Wrong without a data race: the
/// sanitizer has nothing to say about them.

/// Loads, then stores: two increments at the same time can count as one.
final class LoadThenStoreCounter: Sendable {
  private let count = Atomic(0)

  func increment() -> Int {
    let next = count.load(ordering: .acquiring) + 1
    count.store(next, ordering: .releasing)
    return next
  }

  var value: Int { count.load(ordering: .acquiring) }
}

final class AtomicCounter: Sendable {
  private let count = Atomic(0)

  func increment() -> Int { count.add(1, ordering: .sequentiallyConsistent).newValue }

  var value: Int { count.load(ordering: .sequentiallyConsistent) }
}

/// Looks, then fills: two can win.
final class CheckThenActCell: Sendable {
  private let content = Atomic(0)

  func fill(_ value: Int) -> Bool {
    guard content.load(ordering: .acquiring) == 0 else { return false }
    content.store(value, ordering: .releasing)
    return true
  }

  var value: Int { content.load(ordering: .acquiring) }
}

final class OneShotCell: Sendable {
  private let content = Atomic(0)

  func fill(_ value: Int) -> Bool {
    content.compareExchange(expected: 0, desired: value, ordering: .acquiringAndReleasing).exchanged
  }

  var value: Int { content.load(ordering: .acquiring) }
}

/// Every other read sees what was there before the last write.
final class StaleRegister: Sendable {
  private let now = Atomic(0)
  private let before = Atomic(0)
  private let reads = Atomic(0)

  func write(_ value: Int) { before.store(now.exchange(value, ordering: .acquiringAndReleasing), ordering: .releasing) }

  func read() -> Int {
    let isStale = reads.add(1, ordering: .relaxed).newValue % 2 == 0
    return isStale ? before.load(ordering: .acquiring) : now.load(ordering: .acquiring)
  }
}

final class Register: Sendable {
  private let content = Atomic(0)

  func write(_ value: Int) { content.store(value, ordering: .releasing) }

  func read() -> Int { content.load(ordering: .acquiring) }
}
