// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import RaceFreeFutureTesting
import Synchronization

extension OrderingTable {
  // MARK: Operations

  private static func operation(
    _ access: String,
    _ has: String,
    _ instead: String,
    _ weaken: @escaping @Sendable (inout PhaseDouble.Orderings) -> Void
  ) -> OrderingRow {
    OrderingRow(place: "`AsynchronousOperation.phase`", access: access, has: has, instead: instead) {
      var orderings = PhaseDouble.Orderings()
      if $0 { weaken(&orderings) }
      let phase = PhaseDouble(orderings)
      let (effect, result) = (Explored.Cell(0), Explored.Cell(0))
      // Whichever thread ends it calls its observers, who may look at all that belongs to the operation.
      let finish: @Sendable () -> Void = {
        _ = (effect.value, result.value)
        phase.finish()
      }
      $1.thread("main()") {
        effect.value = 1
        if phase.mainReturned() { finish() }
      }
      $1.thread("network") {
        result.value = 1
        if phase.resolve() { finish() }
      }
      $1.thread("asks") {
        if phase.isFinished { _ = (effect.value, result.value) }
      }
    }
  }

  static let operations = [
    operation("exchange in `advance`", "acquiringAndReleasing", "acquiring") { $0.advance = .acquiring },
    operation("exchange in `advance`, of who comes second", "acquiringAndReleasing", "releasing") {
      $0.advance = .releasing
    },
    operation("load in `isFinished`", "acquiring", "relaxed") { $0.load = .relaxed },
  ]

  // MARK: Crashes

  private static func crash(
    _ access: String,
    _ has: String,
    _ instead: String,
    _ weaken: @escaping @Sendable (inout CrashDouble.Orderings) -> Void
  ) -> OrderingRow {
    OrderingRow(place: "`CrashHandler`, of races and explorations", access: access, has: has, instead: instead) {
      var orderings = CrashDouble.Orderings()
      if $0 { weaken(&orderings) }
      let handler = CrashDouble(orderings)
      let note = Explored.Cell("exploring")
      $1.thread("test") {
        note.value = "racing"
        handler.add()
        if handler.remove() { note.value = "freed" }
      }
      $1.thread("crashes") {
        handler.speak { _ = note.value }
      }
    }
  }

  static let crashes = [
    crash("exchange in `add`", "releasing", "relaxed") { $0.add = .relaxed },
    crash("exchange of the note in `remove`", "sequentiallyConsistent", "acquiringAndReleasing") {
      $0.remove = .acquiringAndReleasing
    },
    crash("load of `speaker` in `remove`", "sequentiallyConsistent", "acquiring") { $0.look = .acquiring },
    crash("exchange of `speaker`", "sequentiallyConsistent", "acquiringAndReleasing") {
      $0.begin = .acquiringAndReleasing
    },
    crash("load of the note", "sequentiallyConsistent", "acquiring") { $0.read = .acquiring },
    crash("store of `speaker` at the end", "releasing", "relaxed") { $0.end = .relaxed },
  ]

  /// The order of an exploration, for the handler of a crash.
  static let notes = [true, false].map { isStore in
    OrderingRow(
      place: "`OrderNote`, of explorations",
      access: isStore ? "store of `count`" : "load of `count`",
      has: isStore ? "releasing" : "acquiring",
      instead: "relaxed"
    ) { isWeaker, scenario in
      let count = Explored.Atomic(0)
      let step = Explored.Cell(0)
      scenario.thread("explores") {
        step.value = 1
        count.store(1, ordering: isWeaker && isStore ? .relaxed : .releasing)
      }
      scenario.thread("crashes") {
        if count.load(ordering: isWeaker && !isStore ? .relaxed : .acquiring) > 0 { _ = step.value }
      }
    }
  }

  // MARK: Manual control

  static let manualRuns = [true, false].map { isBegin in
    OrderingRow(
      place: "`ManualScheduler`, of manual queues",
      access: isBegin ? "exchange of `isRunning`" : "store of `isRunning`",
      has: isBegin ? "acquiring" : "releasing",
      instead: "relaxed"
    ) { isWeaker, scenario in
      let isRunning = Explored.Atomic(false)
      let state = Explored.Cell(0)
      for name in ["a", "b"] {
        scenario.thread(name) {
          // The library stops the program instead.
          guard !isRunning.exchange(true, ordering: isWeaker && isBegin ? .relaxed : .acquiring) else { return }
          state.value += 1
          isRunning.store(false, ordering: isWeaker && !isBegin ? .relaxed : .releasing)
        }
      }
    }
  }
}

/// `AsynchronousOperation`, from the call of `main()` on.
final class PhaseDouble: Sendable {
  struct Orderings: Sendable {
    var advance = AtomicUpdateOrdering.acquiringAndReleasing
    var load = AtomicLoadOrdering.acquiring
  }

  private static let inMain: UInt8 = 0
  private static let inMainResolved: UInt8 = 1
  private static let executing: UInt8 = 2
  private static let finishing: UInt8 = 3
  private static let finished: UInt8 = 4

  private let orderings: Orderings
  private let phase = Explored.Atomic(inMain)

  init(_ orderings: Orderings) { self.orderings = orderings }

  /// Returns true if the caller has to finish the operation.
  func mainReturned() -> Bool {
    advance { $0 == Self.inMainResolved ? Self.finishing : Self.executing } == Self.finishing
  }

  /// Returns true if the caller has to finish the operation.
  func resolve() -> Bool {
    advance { $0 == Self.executing ? Self.finishing : Self.inMainResolved } == Self.finishing
  }

  func finish() { _ = advance { _ in Self.finished } }

  var isFinished: Bool { phase.load(ordering: orderings.load) == Self.finished }

  private func advance(_ event: (UInt8) -> UInt8) -> UInt8 {
    var old = phase.load(ordering: .relaxed)
    while true {
      let new = event(old)
      let (isExchanged, current) = phase.compareExchange(expected: old, desired: new, ordering: orderings.advance)
      if isExchanged { return new }
      old = current
    }
  }
}

/// `CrashHandler`, with a single note.
final class CrashDouble: Sendable {
  struct Orderings: Sendable {
    var add = AtomicUpdateOrdering.releasing
    var remove = AtomicUpdateOrdering.sequentiallyConsistent
    var look = AtomicLoadOrdering.sequentiallyConsistent
    var begin = AtomicUpdateOrdering.sequentiallyConsistent
    var read = AtomicLoadOrdering.sequentiallyConsistent
    var end = AtomicStoreOrdering.releasing
  }

  private let orderings: Orderings
  private let note = Explored.Atomic(0)
  private let speaker = Explored.Atomic(0)

  init(_ orderings: Orderings) { self.orderings = orderings }

  func add() { _ = note.compareExchange(expected: 0, desired: 1, ordering: orderings.add) }

  /// Returns true if the note may be freed.
  func remove() -> Bool {
    guard note.compareExchange(expected: 1, desired: 0, ordering: orderings.remove).exchanged else { return false }
    return speaker.load(ordering: orderings.look) != 1
  }

  func speak(_ body: () -> Void) {
    guard speaker.compareExchange(expected: 0, desired: 1, ordering: orderings.begin).original == 0 else { return }
    if note.load(ordering: orderings.read) != 0 { body() }
    speaker.store(2, ordering: orderings.end)
  }
}
