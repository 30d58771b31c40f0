// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// What waits for the outcome of a future, and for its end.
///
/// The first handler is stored in the list itself, because most futures have no other, and it needs no node then; it comes
/// before all other handlers. Waiters, in which no user code runs, come before it (M9).
struct HandlerList: ~Copyable {
  /// Waiters for the outcome, the last one first; then handlers and links, in order of registration.
  var entries = EntryList()
  /// Timers, which the outcome stops; then waits for an end, in order.
  var aside = EntryList()
  /// The first handler, if there ever was one.
  var first = Handler()

  /// True if nothing waits for the outcome or the end.
  var isEmpty: Bool { entries.isEmpty && aside.isEmpty && !first.isWaiting }

  /// True if nothing waits but, perhaps, the first handler.
  var hasOnlyFirst: Bool { entries.isEmpty && aside.isEmpty }

  /// True if entries were added after the outcome, and wait until all others are delivered.
  var hasLate: Bool { entries.last?.standing == .late }

  var hasWaiters: Bool { entries.first?.role == .waiter }

  /// True if a timer may still resolve the future.
  var hasTimers: Bool {
    if case .timer? = aside.first { true } else { false }
  }

  // MARK: Adding and removing

  /// Adds an entry; `isLate` tells whether it was added after the outcome.
  @inline(__always)
  mutating func add(_ entry: Entry, isLate: Bool = false) {
    entry.retain()
    entry.standing = isLate ? .late : .listed
    switch entry {
    case .timer: aside.prepend(entry)
    case .node where entry.role?.awaitsEnding == true: aside.append(entry)
    case .node where entry.role == .waiter: entries.prepend(entry)
    case .node, .link, .child, .derived: entries.append(entry)
    }
  }

  /// Removes an entry that is in the list, whose count is given back: the caller keeps it alive.
  mutating func remove(_ entry: Entry) {
    entry.standing = .free
    switch entry {
    case .timer: aside.remove(entry)
    case .node where entry.role?.awaitsEnding == true: aside.remove(entry)
    case .node, .link, .child, .derived: entries.remove(entry)
    }
    entry.release()
  }

  /// Removes and returns the waiters, in order of arrival; a tree's waiters are woken before any of its handlers starts
  /// (M9).
  mutating func takeWaiters() -> EntryList {
    var waiters = EntryList()
    while hasWaiters, let waiter = entries.popFirst() {
      waiter.standing = .taken
      waiters.prepend(waiter)
    }
    return waiters
  }

  /// Removes any entry, at the end of the future.
  mutating func popAny() -> Entry? { entries.popFirst() ?? aside.popFirst() }

  // MARK: Looking

  /// True if other futures depend on the outcome.
  var hasLinks: Bool {
    var isFound = false
    entries.forEach { entry in
      switch entry {
      case .link, .derived: isFound = true
      default: break
      }
    }
    return isFound
  }

  /// The number of user handlers that wait for the outcome.
  var count: Int {
    var count = first.isWaiting ? 1 : 0
    entries.forEach { if $0.role == .user { count += 1 } }
    return count
  }

  /// True if a handler waits that runs at the outcome.
  func mayRun(at outcome: Future.Outcome) -> Bool {
    var isFound = first.isWaiting && first.matches(outcome)
    entries.forEach { entry in
      if let node = entry.node, node.role != .waiter, node.handler.matches(outcome) { isFound = true }
    }
    return isFound
  }
}
