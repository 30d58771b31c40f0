// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The threads of an order that wait for a condition under a lock.
///
/// A signal may wake any of them; and a wait may end without a signal, once in each thread. Used by the one thread of an
/// order that runs: that makes it `@unchecked Sendable`.
final class ExploredWaiters: @unchecked Sendable {
  /// The condition, and what steps use that concern it.
  struct Use {
    let name, fullName: String
    /// Giving the lock back, and taking it again.
    let changes, waits: Footprint
  }

  private var waiting: [ExploredThread] = []
  /// The threads that have been signalled, or continue by chance.
  private var woken: [ExploredThread] = []
  /// The threads that signalled when none waited.
  private var unheard: [String] = []
  /// The threads that have continued without a signal.
  private var spurious: [Int] = []

  /// The way in which a wait ends because its time is over.
  private static let isLate = 1

  /// Forgets everything, for a new order.
  func begin() { (waiting, woken, unheard, spurious) = ([], [], [], []) }

  /// Has a thread give its lock back, wait for a signal, and take the lock again.
  ///
  /// - Parameters:
  ///   - thread: The thread, which has to hold the lock.
  ///   - use: The condition.
  ///   - lock: The lock.
  ///   - delay: The nanoseconds after which it gives up; nil: it doesn't.
  ///   - givesBack: Called when it has given the lock back, before anybody else acts.
  /// - Returns: False if the time was over before.
  func wait(
    _ thread: ExploredThread,
    _ use: Use,
    under lock: ExploredLock,
    for delay: Int64? = nil,
    givesBack: () -> Void = {}
  ) -> Bool {
    let run = thread.run
    let name = use.name
    _ = thread.take(ThreadOperation(label: { "\(name).wait" }, touches: use.changes))
    guard lock.isHeld(by: thread) else {
      thread.fail("\"\(run.title(of: thread.line))\" waits for \(use.fullName) without holding its lock")
    }
    lock.give(by: thread)
    givesBack()
    waiting.append(thread)
    let timer = delay.map { run.startTimer(after: $0, run.title(of: thread.line)) }
    var operation = ThreadOperation(label: { "continues after \(name).wait" }, touches: use.waits)
    operation.touches?.mayWait = true
    operation.ways = { [self] in
      guard lock.isFree else { return [] }
      if woken.contains(where: { $0 === thread }) { return [0] }
      if timer?.isOver == true { return [Self.isLate] }
      return spurious.contains(thread.line) ? [] : [ThreadOperation.byChance]
    }
    operation.waits = { [self] in
      if woken.contains(where: { $0 === thread }) { return lock.waits(thread) }
      let who = Set(unheard).sorted().joined(separator: ", ")
      return unheard.isEmpty
        ? "waits for \(use.fullName), which nobody signals any more"
        : "waits for \(use.fullName), which \(who) signalled when nobody waited, and nobody does any more: a lost wake-up"
    }
    let way = thread.take(operation)
    run.stop(timer)
    waiting.removeAll { $0 === thread }
    if way == ThreadOperation.byChance {
      spurious.append(thread.line)
      run.note("without a signal")
    } else if way == Self.isLate {
      run.note("timed out")
    }
    woken.removeAll { $0 === thread }
    lock.take(by: thread)
    return way != Self.isLate
  }

  /// Wakes one of the waiting threads, or all of them.
  func wake(_ place: ExploredPlace, _ label: String, _ changes: Footprint, all: Bool) {
    var way = 0
    if let thread = place.thread {
      way = thread.take(
        ThreadOperation(
          label: { label },
          touches: changes,
          ways: { [self] in all || waiting.isEmpty ? [0] : Array(waiting.indices) }
        )
      )
    }
    if waiting.isEmpty {
      return unheard.append(place.thread.map { "\"\(place.run.title(of: $0.line))\"" } ?? "a step")
    }
    let called = all ? waiting : [waiting[way]]
    waiting.removeAll { thread in called.contains { $0 === thread } }
    woken += called
  }
}
