// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The state of a future: a state machine with events in and effects out, and no lock, queue or clock.
///
/// `Future` feeds it events inside its lock, and `Engine` performs the effects. All of a future's guarantees about order
/// and number are decided here.
///
///     unresolvable
///     pending ──decide──▶ marking ──marked──▶ delivering ──delivered──▶ resolved
///        │        └──────(no neighbors)──────────▲   └──▶ delivering (handlers added meanwhile)
///        │        └──(neither links nor handlers)──────────────────────────▲
///        └──decide inside a perform block──▶ held ──performEnded──▶ as after decide
///
/// Invariants:
///
/// - **M1** `resolution` is nil exactly while the phase is `pending` or `unresolvable`; once set it never changes. (L1)
/// - **M2** A decision that arrives while `inLine > 0` isn't taken but queued. So only a block's own decision changes a
///   pending future while a `perform` block waits or runs. (L4, L5)
/// - **M3** `inLine` counts `perform` blocks and queued decisions until the end of their turns on the private queue. As
///   that queue is serial, the phase is `held` only while one block runs, and that block's `performEnded` ends it.
/// - **M4** There is one deliverer. Of all decisions one has the effect `hold`, `mark`, `deliver` or `finish`; the thread
///   that got it delivers (after `hold`: the thread that ends the block). (L2)
/// - **M5** Handlers leave the list in order of registration, and the phase is `resolved` only when there are none in
///   the list. A late handler for a queue joins the list until then, so it never overtakes others; and it leaves the
///   list in the same turn of the lock in which it is dispatched, so that a `perform` block which finds the list empty
///   comes after it. (L3, L4)
/// - **M6** Both lists, of handlers and of sources, belong to the machine until they are taken. That is with the end of
///   `pending`, `held` or `marking`: until then entries may be removed anywhere. What was taken belongs to the deliverer:
///   there an unregistered handler stays as an empty node, and a link as a used one, until the deliverer passes it. In
///   `resolved` the list has only waits for the end of handlers, which may be removed.
/// - **M7** Every walk that comes by finds the neighbors. They are collected in the turn that marks the future; and as
///   long as it is `marking`, any other walk collects them as well. So when a walk has notified all that it has
///   collected, everything that this outcome affects is resolved, by whichever walk. (L11)
/// - **M8** The handler without a node comes before all other handlers. It is returned like the list, but has started
///   at that moment: so the thread that gets a chain runs it at once. Until then it can be unregistered, afterwards it
///   can't.
/// - **M9** Waiters come before all handlers. No user code runs in them, and those of a whole tree are returned before
///   the first handler of any of its futures: no waiter has to wait for a handler.
/// - **M10** An activity, which keeps the future open, is counted in `unreturned` from its beginning, in any phase. So
///   a wait for the end of handlers includes it, and the future is quiet only without it. Nested scopes are counted
///   beside it: see `FutureMachine+Ending.swift`. (L12)
struct FutureMachine: ~Copyable {
  enum Phase: Hashable, CaseIterable {
    /// It can't be resolved and keeps nothing: `CancelToken.never`. Final.
    case unresolvable
    /// Undecided. → held, marking, delivering, resolved
    case pending
    /// Decided inside a `perform` block which hasn't returned. → marking, delivering, resolved
    case held
    /// Decided; the futures linked to it are being notified. → delivering
    case marking
    /// Decided; handlers are being dispatched. → delivering, resolved
    case delivering
    /// Decided; nothing is kept.
    case resolved
  }

  /// The way in which a decision comes to its turn.
  enum Turn {
    /// From any thread: it is queued if `inLine > 0`.
    case arriving
    /// From the private queue, where it was queued.
    case dequeued
    /// From inside the `perform` block that is running.
    case inside
  }

  /// The report of the deliverer.
  struct Report: ~Copyable {
    /// The number of pieces of work it has dispatched to queues.
    var dispatchedCount: Int32 = 0
    /// The entries among the handlers that wait for the end of all; kept until there are no more handlers.
    var waiters = EntryList()
  }

  // Every future has all of this, so the order leaves no gaps.

  /// All entries that wait for the outcome; those that wait for the end of handlers stay after it (M5).
  var handlers = HandlerList()
  /// The links by which this future depends on others.
  var sources = SourceList()
  /// The deadlines that are set: each is among the handlers, too, which keep it.
  var deadlines = DeadlineList()
  private(set) var resolution: Resolution?
  private(set) var phase: Phase
  /// The effects of the links that are, or were, in either list.
  var linkedOutcomes: LinkedOutcomes = []
  /// The number of `perform` blocks and decisions that wait or run on the private queue (M3).
  private(set) var inLine: Int32 = 0
  /// The number of pieces of work that were dispatched to queues, or keep the future open, and have not returned, less
  /// those that the deliverer hasn't reported yet.
  var unreturned: Int32 = 0
  var nesting = Nesting()

  init(isResolvable: Bool = true) {
    phase = isResolvable ? .pending : .unresolvable
  }

  // MARK: Deciding

  /// Completes or cancels the future, on the given thread.
  mutating func decide(_ resolution: Resolution, _ turn: Turn, on thread: ThreadIdentity) -> Effect {
    if turn == .dequeued { inLine -= 1 }
    guard phase == .pending else { return .none }
    switch turn {
    case .arriving where inLine > 0:  // M2
      inLine += 1
      return .enqueue(resolution)
    case .inside:
      self.resolution = resolution
      phase = .held
      return .hold
    case .arriving, .dequeued:
      self.resolution = resolution
      return release(resolution, on: thread)
    }
  }

  /// Counts a `perform` block that is about to be queued.
  ///
  /// Returns true if it has to go the way of the handlers, because late ones that came before it still wait in the
  /// list.
  mutating func performBegan() -> Bool {
    inLine += 1
    return (phase == .marking || phase == .delivering) && !handlers.entries.isEmpty
  }

  /// Ends a `perform` block, on the given thread; it may have decided.
  mutating func performEnded(on thread: ThreadIdentity) -> Effect {
    inLine -= 1
    guard phase == .held, let resolution else { return .none }
    return release(resolution, on: thread)
  }

  /// The way out of `pending` or `held`.
  @inline(__always)
  private mutating func release(_ resolution: Resolution, on thread: ThreadIdentity) -> Effect {
    if mayHaveNeighbors(at: resolution.outcome) {
      let neighbors = neighbors(of: resolution)
      guard neighbors.isEmpty else {
        phase = .marking
        return .mark(neighbors, hasWaiters: handlers.hasWaiters)
      }
    }
    // One that is open around reports its end, with which it may be closed (O2).
    guard handlers.isEmpty, !nesting[.isOpen] else { return .deliver(resolution, takeRemains(on: thread)) }
    phase = .resolved
    if sources.isEmpty { return .finish }
    let sources = exchange(&sources, with: SourceList())
    return .deliver(resolution, Remains(handlers: HandlerChain(nil), sources: sources, isReported: false))
  }

  /// Begins the delivery, on the given thread, when all neighbors have been notified.
  mutating func marked(on thread: ThreadIdentity) -> Effect {
    guard let resolution else { return .none }
    return .deliver(resolution, takeRemains(on: thread))
  }

  /// Resolves this future by another one's outcome, which came along a link, unless the decision has to be queued.
  mutating func resolve(_ verdict: consuming Resolution, by link: Link) -> Effect {
    guard inLine == 0, handlers.isEmpty, sources.isEmpty else { return mark(verdict, except: link) }
    resolution = verdict
    phase = .resolved
    return .finish
  }

  /// Decides the future, or queues that, and leaves the delivery to `marked`: until then no user code runs.
  mutating func mark(_ verdict: Resolution, except link: Link? = nil) -> Effect {
    guard inLine == 0 else {  // M2
      inLine += 1
      return .enqueue(verdict)
    }
    let neighbors = neighbors(of: verdict, except: link)
    resolution = verdict
    phase = .marking
    return .mark(neighbors, hasWaiters: handlers.hasWaiters)
  }

  private mutating func takeRemains(on thread: ThreadIdentity) -> Remains {
    phase = .delivering
    // With the handlers they leave what keeps them.
    deadlines = DeadlineList()
    return Remains(
      handlers: handlers.takeAll(at: resolution?.outcome, on: thread),
      sources: exchange(&sources, with: SourceList()),
      isReported: true
    )
  }

  // MARK: Handlers

  /// Adds an inline handler without a node, if it is the first handler; false if it needs a node.
  mutating func addInSlot(_ trigger: Future.Outcome?, _ handler: @escaping @Sendable () -> Void) -> Bool {
    phase == .pending && handlers.addInSlot(trigger, handler)
  }

  /// Unregisters the handler without a node: returns it, to be released outside of the lock, unless it has started or
  /// was unregistered earlier.
  ///
  /// Also returns whether this kept it from running.
  mutating func removeFromSlot() -> (handler: (@Sendable () -> Void)?, isRemoved: Bool) {
    handlers.removeFromSlot(at: resolution?.outcome)
  }

  /// Notes that a thread waits for the return of the handler without a node; false if that isn't running elsewhere.
  mutating func awaitSlot(by thread: ThreadIdentity) -> Bool { handlers.awaitSlot(by: thread) }

  /// Notes the return of the handler without a node, if it was running; true if a thread waits for that.
  mutating func slotReturned() -> Bool { handlers.slotReturned() }

  /// The number of user handlers that wait for the outcome.
  var handlerCount: Int32 { handlers.count }

  /// Adds a handler, or returns another effect.
  mutating func add(_ node: HandlerNode) -> Addition {
    guard let resolution else { return phase == .unresolvable ? .drop : keep(node) }
    guard node.matches(resolution.outcome) else { return .drop }
    if isClosed { return .open }
    let startsNow = phase == .resolved || (node.runsInline && phase != .held)
    guard startsNow else { return keep(node) }  // M5; held: its handlers start after the block (L5)
    countDispatched()
    return .dispatch(resolution)
  }

  /// Adds a node that is told of the first entry which depends on the future (`HandlerList.watch`), to a new future.
  mutating func addWatcher(_ node: HandlerNode) { handlers.watch(node) }

  private mutating func keep(_ node: HandlerNode) -> Addition {
    handlers.add(node)
    return .keep
  }

  /// Unlinks the node of an unregistered handler if it is still in the list.
  ///
  /// Returns true if it might have run.
  mutating func remove(_ node: HandlerNode) -> Bool {
    let mightHaveRun = resolution.map { node.matches($0.outcome) } ?? true
    switch phase {  // M6
    case .pending, .held, .marking: if node.isListed { handlers.remove(node) }
    case .resolved: if node.isListed, node.awaitsOthers { handlers.remove(node) }
    case .unresolvable, .delivering: break
    }
    return mightHaveRun
  }

  /// Handles the report that a chain has been dispatched.
  mutating func delivered(_ report: inout Report) -> Progress {
    unreturned += exchange(&report.dispatchedCount, with: 0)
    if handlers.slotReturned() { return .wakeSlot }
    if !handlers.isEmpty { return .late }
    phase = .resolved
    while let waiter = report.waiters.first {
      report.waiters.remove(waiter)
      handlers.add(waiter)
    }
    return .over(takeEnding())
  }

  /// Returns the handlers that were added meanwhile, to be dispatched before the lock is left (M5).
  mutating func takeLate() -> HandlerChain { handlers.takeLate() }

  // MARK: The end

  /// Takes everything that a future has at its release.
  mutating func takeRemainsAtEnd() -> Remains {
    deadlines = DeadlineList()
    return Remains(
      handlers: handlers.takeAllUnrun(),
      sources: exchange(&sources, with: SourceList()),
      isReported: false
    )
  }
}
