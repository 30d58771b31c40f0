// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// What a future is and what becomes of it: a state machine with events in and actions out, and no lock, queue or
/// clock.
///
/// `Future` feeds it events inside its lock and carries out the actions after it has left the lock. Everything a future
/// promises about order and number is decided here.
///
///     unresolvable
///     pending ──decide──▶ marking ──marked──▶ delivering ──delivered──▶ resolved
///        │        └──────(no links)──────────────▲   └──▶ delivering (handlers added meanwhile)
///        │        └──(neither links nor handlers)──────────────────────────▲
///        └──decide inside a perform block──▶ held ──performEnded──▶ as after decide
///
/// Invariants:
///
/// - **M1** `resolution` is nil exactly while the phase is `pending` or `unresolvable`; once set it never changes. (L1)
/// - **M2** A decision that arrives while `inLine > 0` isn't taken: it joins the line. So nothing but a block's own
///   decision changes a pending future while a `perform` block waits or runs. (L4, L5)
/// - **M3** Everybody who joined the line (`perform` blocks and decisions) is enqueued on the private queue and leaves
///   the line in its turn there; `inLine` counts them. As that queue is serial, the phase is `held` only while one
///   block runs, and that block's `performEnded` ends it.
/// - **M4** Of all decisions one is answered by `hold`, `mark`, `deliver` or `finish`; the thread that got this answer
///   delivers (after `hold`: the thread that ends the block). So there never are two deliverers. (L2)
/// - **M5** Handlers leave the list in order of registration, and the phase is `resolved` only when there is none in the
///   list. A late handler for a queue joins the list until then, so it never overtakes; and it leaves the list in the
///   same turn of the lock in which it is dispatched, so that a `perform` block which finds the list empty comes after
///   it. (L3, L4)
/// - **M6** An entry is taken out of the middle of a list, of handlers or of sources, only while the future is pending or
///   held. Later a removed handler stays as an empty node, and a link as one that is used up, until the deliverer passes
///   it.
/// - **M7** So both lists stand still in `marking`, but for what is added at their ends; and they stay the machine's until
///   `marked`. Whoever walks through this future asks for its neighbours one by one, and finds the same ones. (L11)
/// - **M8** The handler without a node comes before all other handlers. It is handed out as the list is, but in that
///   moment it has started: so whoever gets a chain runs it at once. Until then it can be removed, afterwards it can't.
/// - **M9** Waiters, in which no user code runs, stand before all handlers, and those of a whole tree are handed out
///   before the first handler of any of its futures: nobody who waits has to wait for somebody's handler.
/// - **M10** What keeps the future open, an activity, is counted in `unreturned` from its beginning on, in whichever phase
///   that is. So whoever waits for the end of handlers waits for it too, and the future is quiet only without it. (L12)
struct FutureMachine: ~Copyable {
  enum Phase: Hashable, CaseIterable {
    /// It can't be resolved and keeps nothing: `CancelToken.never`. For ever.
    case unresolvable
    /// Undecided. → held, marking, delivering, resolved
    case pending
    /// Decided inside a `perform` block which hasn't returned. → marking, delivering, resolved
    case held
    /// Decided; the futures linked to it are being told. → delivering
    case marking
    /// Decided; handlers are being handed over. → delivering, resolved
    case delivering
    /// Decided, and nothing is kept.
    case resolved
  }

  /// How a decision comes to its turn.
  enum Turn {
    /// From any thread: it has to join the line if there is one.
    case arriving
    /// From the private queue, where it stood in line.
    case dequeued
    /// From inside the `perform` block that is running.
    case inside
  }

  /// What the deliverer has to report.
  struct Report: ~Copyable {
    /// How many pieces of work it has handed to queues.
    var handedOver: Int32 = 0
    /// Those among the handlers who wait for the end of all; it keeps them until there are no more handlers.
    var waiters = EntryList()
  }

  // Every future has all of this, so the order is one that leaves no gaps.

  /// All that wait for the outcome; those who wait for the end of handlers stay when it is there (M5).
  var handlers = HandlerList()
  /// The links by which this future depends on others.
  var sources = SourceList()
  /// The deadlines that are set, each of which has a node among the handlers.
  var deadlines: [DeadlineTimer] = []
  private(set) var resolution: Resolution?
  private(set) var phase: Phase
  /// What the links mean that are, or were, among the handlers.
  var linkedOutcomes: LinkedOutcomes = []
  /// How many `perform` blocks and decisions wait or run on the private queue (M3).
  private(set) var inLine: Int32 = 0
  /// How many pieces of work were handed to queues, or keep the future open, and have not returned, less what the
  /// deliverer hasn't reported yet.
  private var unreturned: Int32 = 0

  init(isResolvable: Bool = true) {
    phase = isResolvable ? .pending : .unresolvable
  }

  // MARK: Deciding

  /// Somebody completes or cancels.
  mutating func decide(_ resolution: Resolution, _ turn: Turn) -> Decision {
    if turn == .dequeued { inLine -= 1 }
    guard phase == .pending else { return .ignore }
    switch turn {
    case .arriving where inLine > 0:  // M2
      inLine += 1
      return .joinLine
    case .inside:
      self.resolution = resolution
      phase = .held
      return .hold
    case .arriving, .dequeued:
      self.resolution = resolution
      return .release(release())
    }
  }

  /// A `perform` block joins the line.
  ///
  /// Returns whether it has to go the way of the handlers, because late ones that came before it still wait in the list.
  mutating func performBegan() -> Bool {
    inLine += 1
    return (phase == .marking || phase == .delivering) && !handlers.entries.isEmpty
  }

  /// A `perform` block has returned; nil if it hasn't decided.
  mutating func performEnded() -> Release? {
    inLine -= 1
    return phase == .held ? release() : nil
  }

  /// The neighbours have been told, and those who wait are to be woken before any handler starts (M9).
  mutating func takeWaiters() -> HandlerChain {
    handlers.takeWaiters()
  }

  /// All neighbours have been told.
  mutating func marked() -> Remains {
    phase = .delivering
    return takeRemains()
  }

  private mutating func release() -> Release {
    guard let outcome = resolution?.outcome else { return .finish(SourceList()) }
    if linkedOutcomes.contains(LinkedOutcomes(outcome))
      || sources.contains(where: { $0.concerns(outcome, at: .target) })
    {
      phase = .marking
      return .mark(hasWaiters: handlers.hasWaiters)
    }
    if handlers.isEmpty {
      phase = .resolved
      return .finish(exchange(&sources, with: SourceList()))
    }
    phase = .delivering
    return .deliver(takeRemains())
  }

  /// Another future's outcome resolves this one, unless there is a line to join.
  mutating func resolve(_ verdict: Resolution) -> Following {
    guard inLine == 0 else {  // M2
      inLine += 1
      return .joinLine(verdict)
    }
    resolution = verdict
    if handlers.isEmpty, sources.isEmpty {
      phase = .resolved
      return .finish(verdict)
    }
    phase = .marking
    return .mark(verdict, hasNeighbours: !linkedOutcomes.isEmpty || !sources.isEmpty, hasWaiters: handlers.hasWaiters)
  }

  private mutating func takeRemains() -> Remains {
    Remains(
      handlers: handlers.takeAll(at: resolution?.outcome),
      sources: exchange(&sources, with: SourceList()),
      deadlines: exchange(&deadlines, with: [])
    )
  }

  // MARK: Handlers

  /// Takes in an inline handler without a node, if it is the first handler; false if it needs a node.
  mutating func addInSlot(_ trigger: Future.Outcome?, _ handler: @escaping @Sendable () -> Void) -> Bool {
    phase == .pending && handlers.addInSlot(trigger, handler)
  }

  /// The handler without a node is taken back: hands it out, to be released outside of the lock, unless it has started
  /// or was taken back before.
  ///
  /// Returns also whether this kept it from running.
  mutating func removeFromSlot() -> (handler: (@Sendable () -> Void)?, isRemoved: Bool) {
    handlers.removeFromSlot(at: resolution?.outcome)
  }

  /// Takes in a handler, or says what else is to become of it.
  mutating func add(_ node: HandlerNode) -> Addition {
    guard let resolution else { return phase == .unresolvable ? .drop : keep(node) }
    guard node.matches(resolution.outcome) else { return .drop }
    let startsNow = phase == .resolved || (node.runsInline && phase != .held)
    guard startsNow else { return keep(node) }  // M5; held: its handlers start after the block (L5)
    countHandedOver()
    return .dispatch(resolution)
  }

  /// A piece of work is handed over by whoever asked, or begins to keep the future open (M10).
  mutating func countHandedOver() { unreturned += 1 }

  private mutating func keep(_ node: HandlerNode) -> Addition {
    handlers.add(node)
    return .keep
  }

  /// Its handler was taken back: unlinks the node if it still stands in the list.
  ///
  /// Returns whether it might have run.
  mutating func remove(_ node: HandlerNode) -> Bool {
    let mightHaveRun = resolution.map { node.matches($0.outcome) } ?? true
    guard node.isListed, phase == .pending || phase == .held else { return mightHaveRun }  // M6
    handlers.remove(node)
    return mightHaveRun
  }

  /// A chain has been handed over.
  mutating func delivered(_ report: inout Report) -> Progress {
    unreturned += report.handedOver
    report.handedOver = 0
    if handlers.slotReturned() { return .wakeSlot }
    if !handlers.isEmpty { return .deliverLate }
    phase = .resolved
    while let waiter = report.waiters.popFirst() { handlers.add(waiter) }
    return finishIfDone()
  }

  /// Hands out the handlers that were added meanwhile: to be dispatched before the lock is left (M5).
  mutating func takeLate() -> HandlerChain { handlers.takeAll(at: resolution?.outcome) }

  /// A piece of work that was handed over, or kept the future open, has returned.
  mutating func returned() -> Progress {
    unreturned -= 1
    return finishIfDone()
  }

  /// Somebody waits for the end of all handlers or, if that is the node's role, of the inline ones alone.
  ///
  /// Returns the resolution if they have all returned.
  mutating func awaitFinish(_ waiter: HandlerNode) -> Resolution? {
    if phase == .resolved, unreturned == 0 || waiter.role == .awaitsDelivery { return resolution }
    if phase != .unresolvable { handlers.add(waiter) }
    return nil
  }

  /// Whether nothing of it runs or is on its way; nor is it still undecided, if that is asked for (M10).
  func isQuiet(needsOutcome: Bool) -> Bool {
    guard unreturned == 0 else { return false }
    return switch phase {
    case .resolved, .unresolvable: true
    case .pending: !needsOutcome
    case .held, .marking, .delivering: false
    }
  }

  /// Whether it is decided, and more of it runs or is on its way than a number of pieces of work.
  func isOpen(besides count: Int) -> Bool {
    resolution != nil && (phase != .resolved || unreturned > Int32(clamping: count))
  }

  /// Takes out those whose wait is over; in `resolved` no others are in the list (M5).
  private mutating func finishIfDone() -> Progress {
    guard phase == .resolved, !handlers.isEmpty else { return .wait }
    var all = handlers.takeAll(at: resolution?.outcome)
    if unreturned == 0 { return .finish(all) }
    var over = EntryList()
    while let waiter = all.next() {
      if waiter.role == .awaitsDelivery { over.append(waiter) } else { handlers.add(waiter) }
    }
    return over.isEmpty ? .wait : .finish(HandlerChain(over.takeAll()))
  }

  // MARK: The end

  /// The future goes: takes out all that it has.
  mutating func takeRemainsAtEnd() -> Remains {
    Remains(
      handlers: handlers.takeAllUnrun(),
      sources: exchange(&sources, with: SourceList()),
      deadlines: exchange(&deadlines, with: [])
    )
  }
}
