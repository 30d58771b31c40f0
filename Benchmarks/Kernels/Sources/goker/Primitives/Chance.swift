// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting

/// Returns true or false, by chance: the explorer tries both.
///
/// The exchange of a weak update may fail without a reason, which is a choice of the explorer's.
func either() -> Bool {
  Explored.Atomic(false).weakCompareExchange(expected: false, desired: true, ordering: .relaxed).exchanged
}

/// A flag that is set once.
final class Flag: Sendable {
  private let value = Explored.Atomic(false)

  var isSet: Bool { value.load(ordering: .acquiring) }

  func set() { value.store(true, ordering: .releasing) }

  /// Returns true for the first caller only.
  func take() -> Bool { !value.exchange(true, ordering: .acquiringAndReleasing) }
}

/// Returns a channel with a message after a time that may be short or long: a timer whose deadline is as good as any.
func someTime() -> Channel<Void> {
  let over = Channel<Void>(capacity: 1)
  Task(name: "timer") { await over.send(()) }
  return over
}

/// A number that tasks change under a lock of theirs.
final class Counter: Sendable {
  private let cell = Explored.Cell(0)

  var value: Int {
    get { cell.value }
    set { cell.value = newValue }
  }
}
