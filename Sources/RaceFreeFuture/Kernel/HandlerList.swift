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
  /// True if an entry is to be told of the next one that depends on the future (`watch`); it fills a gap.
  private var isWatched = false
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
    if isWatched, entry.dependsOnFuture { tellWatcher() }
    if entry.role == .waiter { entries.prepend(entry) } else { entries.append(entry) }
    if entry.role == .user { count += 1 }
  }

  /// Adds a node that is told of the first entry which depends on the future, under the lock.
  mutating func watch(_ node: HandlerNode) {
    add(node)
    isWatched = true
  }

  private mutating func tellWatcher() {
    isWatched = false
    entries.first?.forEachHandler { $0.dependentAdded() }
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

  /// True if a handler waits that runs at the outcome.
  func mayRun(at outcome: Future.Outcome) -> Bool {
    var isFound = slot.runs(at: outcome)
    entries.first?.forEachHandler { if $0.matches(outcome), $0.role == .user || $0.role == .library { isFound = true } }
    return isFound
  }

  // MARK: Handing out

  /// Removes and returns the waiters; those of a tree are woken before any handler of it starts (M9).
  mutating func takeWaiters() -> HandlerChain { HandlerChain(entries.takePrefix { $0.role == .waiter }) }

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

/// The first handler of a future, if it runs inline and needs no argument: it is stored in the future itself, under its
/// lock, which decides between "run" and "removed" as a `Claim` does for a node (H1 to H3).
enum InlineSlot: ~Copyable {
  /// There never was one.
  case none
  /// With the outcome at which it runs; nil for both.
  case waiting(@Sendable () -> Void, Future.Outcome?)
  /// It has started.
  case running(ThreadIdentity)
  /// It has started, and a thread waits for its return.
  case awaited(ThreadIdentity)
  /// It has returned, was unregistered, or belonged to the other outcome.
  case over

  var isNone: Bool {
    switch self {
    case .none: true
    default: false
    }
  }

  var isWaiting: Bool {
    switch self {
    case .waiting: true
    default: false
    }
  }

  func runs(at outcome: Future.Outcome) -> Bool {
    switch self {
    case .waiting(_, let trigger): trigger == nil || trigger == outcome
    default: false
    }
  }

  private var runner: ThreadIdentity? {
    switch self {
    case .running(let thread): thread
    case .awaited(let thread): thread
    default: nil
    }
  }

  /// Returns it at an outcome or before there is one, to be run by the given thread at once, or only to be released.
  mutating func take(at outcome: Future.Outcome?, on thread: ThreadIdentity? = nil) -> SlotHandler? {
    guard isWaiting else { return nil }
    switch exchange(&self, with: .over) {
    case .waiting(let handler, let trigger):
      let runs = outcome == nil || trigger == nil || trigger == outcome
      if runs, let thread { self = .running(thread) }
      return SlotHandler(handler: handler, runs: runs)
    default:
      return nil
    }
  }

  /// Notes that a thread waits for its return; false if it isn't running on another thread.
  mutating func awaitEnd(by thread: ThreadIdentity) -> Bool {
    guard let runner, runner != thread else { return false }
    self = .awaited(runner)
    return true
  }

  /// Notes its return, if it was running; true if a thread waits for that.
  mutating func end() -> Bool {
    guard runner != nil else { return false }
    return switch exchange(&self, with: .over) {
    case .awaited: true
    default: false
    }
  }
}

/// The handler without a node on its way to be run or released.
struct SlotHandler: ~Copyable {
  let handler: @Sendable () -> Void
  /// True if it belongs to the outcome, if there is one.
  let runs: Bool

  /// Runs it if it belongs to the outcome, and releases it.
  consuming func run(_ hooks: Hooks) {
    if runs { CurrentFuture.runOutside(hooks, handler) }
  }
}

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
  mutating func takeSlot() -> SlotHandler? { slot.take() }

  /// Removes the waiters at the beginning, in the order in which they came: the list has the last one first.
  mutating func takeWaiters() -> HandlerChain {
    var waiters: ListEntry?
    while first?.role == .waiter, let waiter = next() {
      waiter.rest.first = waiters
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
    first = entry.rest.first.take()
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
      first = candidate.rest.first.take()
      guard candidate.matches(outcome) else {
        candidate.revoke()
        continue
      }
      last.rest.first = candidate
      last = candidate
    }
  }
}
