// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import RaceFreeFutureTesting
import Synchronization

/// The accesses that are relaxed, each with what makes up for an ordering, and explored without that as well.
enum RelaxedTable {
  static let rows = [
    endOfReference, receivedValue, latest, takenOnce, ownersMark,
  ]

  // MARK: Counted references

  /// Two owners of an object: the runtime counts their references with release and acquire, and whoever lets go of the
  /// last one deinitializes.
  private static func owners(_ isWeaker: Bool, _ end: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    let owners = Explored.Atomic(2)
    return {
      if owners.subtract(1, ordering: isWeaker ? .relaxed : .acquiringAndReleasing).newValue == 0 { end() }
    }
  }

  private static let endOfReference = OrderingRow(
    place: "`LazyReference`",
    access: "load in `deinit`",
    has: "its owners count references to it",
    instead: "a count that is relaxed"
  ) { isWeaker, scenario in
    let reference = LazyReferenceDouble<OrderingTable.Made>(.init())
    let release = owners(isWeaker) { reference.end { $0.content.value = 0 } }
    for name in ["a", "b"] {
      scenario.thread(name) {
        _ = (reference.object ?? reference.fill(with: OrderingTable.Made())).content.value
        release()
      }
    }
  }

  private static let receivedValue = OrderingRow(
    place: "`ValueBox`",
    access: "`isReceived`",
    has: "its owners count references to it",
    instead: "a count that is relaxed"
  ) { isWeaker, scenario in
    let isReceived = Explored.Atomic(false)
    let isUndelivered = Explored.Atomic(false)
    let release = owners(isWeaker) {
      if !isReceived.load(ordering: .relaxed) { isUndelivered.store(true, ordering: .relaxed) }
    }
    scenario.thread("receives") {
      isReceived.store(true, ordering: .relaxed)
      release()
    }
    scenario.thread("lets go", release)
    scenario.atEnd { isUndelivered.load(ordering: .relaxed) ? "a value is received, and undelivered" : nil }
  }

  // MARK: Others

  private static let latest = OrderingRow(
    place: "`LatestFuture`, `ResultSlot`",
    access: "`hasBeenReplaced`, `dismissed`",
    has: "the handlers have a serial context",
    instead: "handlers on any thread"
  ) { isWeaker, scenario in
    let slot = Explored.Mutex(0)
    let hasBeenReplaced = Explored.Atomic(false)
    let main = Explored.SerialQueue(label: "main")
    let shown = Variable<[String]>([])
    let handle: @Sendable (@escaping @Sendable () -> Void) -> Void = { isWeaker ? $0() : main.async(execute: $0) }
    scenario.thread("user") {
      slot.withLock { slot in
        hasBeenReplaced.store(true, ordering: .relaxed)
        slot = 1
      }
      handle { shown.value.append("new") }
    }
    scenario.thread("network") {
      handle {
        if !hasBeenReplaced.load(ordering: .relaxed) { shown.value.append("old") }
      }
    }
    scenario.atEnd { shown.value.last == "new" ? nil : "the old answer is shown last" }
  }

  private static let takenOnce = OrderingRow(
    place: "`Job`, `DispatchGroup.enter(until:)`, demand of a subscriber",
    access: "`state`, `hasLeft`, `isRequested`",
    has: "one exchange succeeds, and only its thread goes on",
    instead: "a load and a store"
  ) { isWeaker, scenario in
    let state = Explored.Atomic(false)
    let work = Explored.Cell<Int?>(1)
    let taken = Explored.Atomic(0)
    for name in ["starts", "drops"] {
      scenario.thread(name) {
        if isWeaker {
          guard !state.load(ordering: .relaxed) else { return }
          state.store(true, ordering: .relaxed)
        } else {
          guard !state.exchange(true, ordering: .relaxed) else { return }
        }
        taken.add(1, ordering: .relaxed)
        work.value = nil
      }
    }
    scenario.atEnd { taken.load(ordering: .relaxed) == 1 ? nil : "it was taken twice" }
  }

  /// A turn of each thread, one after the other.
  private static let ownersMark = OrderingRow(
    place: "`PrivateQueue`",
    access: "`owner`",
    has: "a thread compares it with its own identity, which no other stores",
    instead: "one identity for both"
  ) { isWeaker, scenario in
    let owner = Explored.Atomic(0)
    let turn = Explored.Mutex(())
    let isWrong = Explored.Atomic(false)
    for thread in 1...2 {
      let identity = isWeaker ? 1 : thread
      scenario.thread("\(thread)") {
        if owner.load(ordering: .relaxed) == identity { isWrong.store(true, ordering: .relaxed) }
        turn.withLock { _ in
          owner.store(identity, ordering: .relaxed)
          if owner.load(ordering: .relaxed) != identity { isWrong.store(true, ordering: .relaxed) }
          owner.store(0, ordering: .relaxed)
        }
        if owner.load(ordering: .relaxed) == identity { isWrong.store(true, ordering: .relaxed) }
      }
    }
    scenario.atEnd { isWrong.load(ordering: .relaxed) ? "a thread takes itself for another one" : nil }
  }
}
