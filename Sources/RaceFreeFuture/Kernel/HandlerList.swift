// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The entries that wait for the outcome of a future, in order of registration: handlers, links to other futures, and
/// waits for the end of handlers.
///
/// It guarantees two things by itself. Waiters, in which no user code runs, come before all others (M9). And the first
/// handler, if it runs inline and needs no argument, is stored in the list's own slot, because most futures have no
/// other, and it needs no node then; it comes before all other handlers. It is returned like them, but has started at
/// that moment, so the thread that gets a chain runs it at once (M8).
struct HandlerList: ~Copyable {
  private(set) var entries = EntryList()
  private var slot = InlineSlot.none
  /// The number of user handlers that wait for the outcome.
  private(set) var count: Int32 = 0

  /// True if nothing waits.
  var isEmpty: Bool { entries.isEmpty && !slot.isWaiting }

  var hasWaiters: Bool { entries.first?.role == .waiter }

  // MARK: Adding and removing

  /// Adds an inline handler without a node, if it is the first; false if it needs a node.
  mutating func addInSlot(_ trigger: Future.Outcome?, _ handler: @escaping @Sendable () -> Void) -> Bool {
    // Only if there never was one: a registration must not refer to another handler later.
    guard slot.isNone, entries.isEmpty else { return false }
    slot = .waiting(handler, trigger)
    count += 1
    return true
  }

  mutating func add(_ entry: ListEntry) {
    if entry.role == .waiter { entries.prepend(entry) } else { entries.append(entry) }
    if entry.role == .user { count += 1 }
  }

  /// Removes an entry that is in the list and that the caller keeps alive.
  mutating func remove(_ entry: ListEntry) {
    entries.remove(entry)
    if entry.role == .user { count -= 1 }
  }

  /// Returns the handler in the slot, to be released outside of the lock; nil if it has started or was removed earlier.
  ///
  /// Also returns whether this kept it from running at the outcome, if there is one.
  mutating func removeFromSlot(at outcome: Future.Outcome?) -> (handler: (@Sendable () -> Void)?, isRemoved: Bool) {
    guard let removed = slot.take(at: outcome) else { return (nil, false) }
    count -= 1
    return (removed.handler, removed.runs)
  }

  // MARK: Handing out

  /// Removes and returns the waiters; those of a tree are woken before any handler of it starts (M9).
  mutating func takeWaiters() -> HandlerChain {
    HandlerChain(entries.takePrefix { $0.role == .waiter })
  }

  /// Removes and returns all entries; this starts the handler in the slot on the given thread, if it belongs to the
  /// outcome.
  mutating func takeAll(at outcome: Future.Outcome?, on thread: ThreadIdentity) -> HandlerChain {
    count = 0
    return HandlerChain(entries.takeAll(), after: slot.take(at: outcome, on: thread))
  }

  /// Removes and returns the entries that were added after the outcome: none of them is in the slot.
  mutating func takeLate() -> HandlerChain {
    count = 0
    return HandlerChain(entries.takePrefix { _ in true })
  }

  /// Removes and returns all entries, to be released.
  mutating func takeAllUnrun() -> HandlerChain {
    HandlerChain(entries.takeAll(), after: slot.take(at: nil))
  }

  // MARK: Waiting for the handler in the slot

  /// Notes that a thread waits for its return; false if it isn't running on another thread.
  mutating func awaitSlot(by thread: ThreadIdentity) -> Bool { slot.awaitEnd(by: thread) }

  /// Notes its return, if it was running; true if a thread waits for that.
  mutating func slotReturned() -> Bool { slot.end() }
}
