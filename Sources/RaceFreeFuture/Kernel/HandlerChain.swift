// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// Handlers and links that have left a future's list, in order of registration and after the waiters for the outcome:
/// they belong to the thread that holds the chain.
struct HandlerChain: ~Copyable {
  /// The first handler if it has no node; it comes after the waiters and before all others.
  private var slot: SlotHandler?
  private(set) var first: ListEntry?

  init(_ first: ListEntry?, after slot: consuming SlotHandler? = nil) {
    self.first = first
    self.slot = slot
  }

  /// Removes the first handler if it has no node.
  mutating func takeSlot() -> SlotHandler? {
    slot.take()
  }

  /// Removes the waiters at the beginning, in the order in which they came: the list has the last one first.
  mutating func takeWaiters() -> HandlerChain {
    var waiters: ListEntry?
    while first?.role == .waiter, let waiter = next() {
      waiter.next = waiters
      waiters = waiter
    }
    return HandlerChain(waiters)
  }

  /// Removes the first entry.
  ///
  /// By repeated calls a chain of any length is released without recursion (law L10). Not inlined: Swift 6.3 can't
  /// compile some of the loops then.
  @inline(never)
  mutating func next() -> ListEntry? {
    guard let entry = first.take() else { return nil }
    first = entry.next.take()
    return entry
  }

  /// True if there are no more entries.
  var isEmpty: Bool { first == nil }

  /// True if the first handler has no node.
  var hasSlot: Bool { slot != nil }

  /// True if other futures depend on the outcome.
  var hasLinks: Bool {
    var isFound = false
    first?.forEachLink { _ in isFound = true }
    return isFound
  }

  /// Removes the handlers that can run in one block of the private queue together with `node`, up to the first one for
  /// another place, and appends them to it.
  ///
  /// Entries that don't match the outcome are dropped on the way.
  mutating func takeBatch(after node: HandlerNode, matching outcome: Future.Outcome) {
    var last = node
    while let candidate = first?.handler, candidate.runsOnPrivateQueue || !candidate.matches(outcome) {
      first = candidate.next
      candidate.next = nil
      guard candidate.matches(outcome) else {
        candidate.revoke()
        continue
      }
      last.next = candidate
      last = candidate
    }
  }
}
