// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// All that wait for the outcome of a future, in order of registration: handlers, links to other futures, and those who
/// wait for the end of handlers.
///
/// It keeps two promises by itself. Waiters, in which no user code runs, stand before all others (M9). And the first
/// handler, if it runs inline and needs no argument, stands in the list's own slot, because most futures have no other,
/// and it needs no node then; it comes before all other handlers. It is handed out as they are, but in that moment it
/// has started, so whoever gets a chain runs it at once (M8).
struct HandlerList: ~Copyable {
  private(set) var entries = EntryList()
  private var slot = InlineSlot.none
  /// The outcome at which the handler in the slot runs; nil: both.
  private var slotTrigger: Future.Outcome?
  /// How many user handlers wait for the outcome.
  private(set) var count: Int32 = 0

  /// Whether nobody waits.
  var isEmpty: Bool { entries.isEmpty && !slot.isWaiting }

  var hasWaiters: Bool { entries.first?.role == .waiter }

  // MARK: Adding and removing

  /// Takes in an inline handler without a node, if it is the first; false if it needs a node.
  mutating func addInSlot(_ trigger: Future.Outcome?, _ handler: @escaping @Sendable () -> Void) -> Bool {
    // Only if there never was one: a registration must not mean another handler later.
    guard slot.isNone, entries.isEmpty else { return false }
    slot = .waiting(handler)
    slotTrigger = trigger
    count += 1
    return true
  }

  mutating func add(_ entry: ListEntry) {
    if entry.role == .waiter { entries.prepend(entry) } else { entries.append(entry) }
    if entry.role == .user { count += 1 }
  }

  /// Takes out an entry that is in the list and that the caller keeps alive.
  mutating func remove(_ entry: ListEntry) {
    entries.remove(entry)
    if entry.role == .user { count -= 1 }
  }

  /// Hands out the handler in the slot, to be released outside of the lock; nil if it has started or was taken out before.
  ///
  /// Returns also whether this kept it from running at the outcome, if that is there.
  mutating func removeFromSlot(at outcome: Future.Outcome?) -> (handler: (@Sendable () -> Void)?, isRemoved: Bool) {
    guard slot.isWaiting else { return (nil, false) }
    count -= 1
    return (slot.remove(), slotRuns(at: outcome))
  }

  // MARK: Handing out

  mutating func takeWaiters() -> HandlerChain {
    HandlerChain(entries.takePrefix { $0.role == .waiter })
  }

  /// Hands out all; the handler in the slot has started with this, if it is one of the outcome.
  mutating func takeAll(at outcome: Future.Outcome?) -> HandlerChain {
    count = 0
    return HandlerChain(entries.takeAll(), after: slot.begin(ifMatching: slotRuns(at: outcome)))
  }

  /// Hands out all, to be released.
  mutating func takeAllUnrun() -> HandlerChain {
    HandlerChain(entries.takeAll(), after: slot.begin(ifMatching: false))
  }

  private func slotRuns(at outcome: Future.Outcome?) -> Bool {
    outcome == nil || slotTrigger == nil || slotTrigger == outcome
  }

  // MARK: Waiting for the handler in the slot

  /// Somebody waits for its return; false if it isn't running on another thread.
  mutating func awaitSlot() -> Bool { slot.awaitEnd() }

  /// It has returned, if it was running; true if somebody waits for that.
  mutating func slotReturned() -> Bool { slot.end() }
}
