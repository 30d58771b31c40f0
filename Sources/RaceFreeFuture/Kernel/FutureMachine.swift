// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The state of a future: a state machine with events in and effects out, and no lock, queue or clock.
///
/// `Future` feeds it events inside its lock, and `Engine` performs the effects. All of a future's guarantees about
/// order and number are decided here.
///
///     unresolvable
///     pending ──decide──▶ marking ──marked──▶ delivering ──next──▶ resolved
///        │        └──────(no neighbors)──────────▲  └─next─▶ delivering (an entry was taken)
///        │        └──(neither links nor handlers)─────────────────▲
///        └──decide inside a perform block──▶ held ──performEnded──▶ as after decide
///
/// Invariants:
///
/// - **M1** `resolution` is nil exactly while the phase is `pending` or `unresolvable`; once set it never changes. (L1)
/// - **M2** A decision that arrives while `inLine > 0` isn't taken but queued. So only a block's own decision changes a
///   pending future while a `perform` block waits or runs. (L4, L5)
/// - **M3** `inLine` counts `perform` blocks and queued decisions until the end of their turns on the private queue. As
///   that queue is serial, the phase is `held` only while one block runs, and that block's `performEnded` ends it.
/// - **M4** There is one deliverer. Of all decisions one has the effect `hold`, `mark`, `run`, `deliver` or
///   `finish`; the thread that got it delivers (after `hold`: the thread that ends the block). (L2)
/// - **M7** Every walk that comes by finds the neighbors. They are collected in the turn that marks the future; and as
///   long as it is `marking`, any other walk collects them as well. So when a walk has notified all that it has
///   collected, everything that this outcome affects is resolved, by whichever walk. (L11)
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

  // Every future has all of this, so the order leaves no gaps.

  /// What waits for the outcome, or for the end.
  var handlers = HandlerList()
  var flags: Flags = []
  private(set) var phase: Phase
  /// The number of `perform` blocks and decisions that wait or run on the private queue (M3).
  private(set) var inLine: Int32 = 0
  /// The links by which this future depends on others; its parent, or its closure.
  var sources: SourceList
  private(set) var resolution: Resolution?
  /// The number of pieces of work that were dispatched to queues, or keep the future open, and have not returned.
  var unreturned: Int32 = 0
  var nesting = Nesting()

  init(isResolvable: Bool = true, sources: consuming SourceList = SourceList()) {
    phase = isResolvable ? .pending : .unresolvable
    // Its cancellation goes to the source.
    if case .derivation? = sources.first { flags = .linkedAtCancellation }
    self.sources = sources
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
  /// Returns true if it has to queue behind the handlers, because earlier late ones still wait in the list.
  mutating func performBegan() -> Bool {
    inLine += 1
    return handlers.hasLate
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
    // A future that keeps a scope around open closes it with its end (O2).
    guard handlers.isEmpty, !nesting[.isOpen] else {
      guard handlers.hasOnlyFirst, sources.isEmpty, handlers.first.matches(resolution.outcome), !nesting[.isOpen],
        let work = handlers.first.beginInline(on: thread)
      else { return marked(on: thread) }
      phase = .delivering
      return .run(work, resolution)
    }
    phase = .resolved
    return .finish(exchange(&sources, with: SourceList()))
  }

  /// Resolves this future by another one's outcome, which came along a link, unless the decision has to be queued.
  mutating func resolve(_ verdict: consuming Resolution, by known: ObjectIdentifier?) -> Effect {
    guard inLine == 0, handlers.isEmpty, sources.isEmpty else { return mark(verdict, except: known) }
    resolution = verdict
    phase = .resolved
    return .finish(SourceList())
  }

  /// Decides the future, or queues that, and leaves the delivery to `marked`: until then no user code runs.
  mutating func mark(_ verdict: Resolution, except known: ObjectIdentifier? = nil) -> Effect {
    guard inLine == 0 else {  // M2
      inLine += 1
      return .enqueue(verdict)
    }
    let neighbors = neighbors(of: verdict, except: known)
    resolution = verdict
    phase = .marking
    return .mark(neighbors, hasWaiters: handlers.hasWaiters)
  }

  // MARK: Delivering

  /// Begins the delivery, on the given thread, when all neighbors have been notified.
  mutating func marked(on thread: ThreadIdentity) -> Effect {
    guard let resolution else { return .none }
    phase = .delivering
    var delivery = Delivery(resolution: resolution, sources: exchange(&sources, with: SourceList()), step: .late)
    // What keeps them leaves with them.
    while handlers.hasTimers, let timer = handlers.aside.popFirst() { delivery.drop(timer) }
    next(&delivery, on: thread)
    return .deliver(delivery)
  }

  /// The only handler has returned: takes what is left of the delivery, for the given thread; nil if nothing is.
  mutating func ran(on thread: ThreadIdentity) -> Delivery? {
    guard let resolution else { return nil }
    if handlers.hasOnlyFirst, !nesting[.isOpen], !handlers.first.isAwaited {
      handlers.first = Handler()
      phase = .resolved
      return nil
    }
    var delivery = Delivery(resolution: resolution, sources: SourceList(), returned: .first, step: .over(nil))
    next(&delivery, on: thread)
    return delivery
  }

  /// Takes the next piece of a delivery, for the given thread, when what was taken before has returned; entries that
  /// have nothing to do at this outcome are dropped on the way.
  ///
  /// Late entries are dispatched in the turn that takes them, and that is the last one: so a `perform` block which
  /// finds the list empty comes after them, and the delivery ends, however many threads go on adding. (L3, L4)
  @inline(__always)
  mutating func next(_ delivery: inout Delivery, on thread: ThreadIdentity, takesLate: Bool = false) {
    if let handler = delivery.returned.take(), let group = returned(handler) { return delivery.step = .leave(group) }
    let outcome = delivery.resolution.outcome
    if handlers.hasWaiters { return delivery.step = .wake(handlers.takeWaiters()) }
    if handlers.first.isWaiting {
      if handlers.first.matches(outcome) {
        if let work = handlers.first.beginInline(on: thread) { return delivery.step = .run(work, .first) }
        return delivery.step = dispatch(.first, at: outcome, takesLate: takesLate)
      }
      delivery.unused = handlers.first.take()
    }
    while let entry = handlers.entries.first {
      if !takesLate, entry.standing == .late { return delivery.step = .late }
      _ = handlers.entries.popFirst()
      entry.standing = .free
      switch entry {
      case .node(let unmanaged):
        guard unsafe unmanaged._withUnsafeGuaranteedRef({ $0.handler.matches(outcome) }) else { break }
        let node = unsafe unmanaged.takeRetainedValue()
        if let work = node.handler.beginInline(on: thread) { return delivery.step = .run(work, .node(node)) }
        return delivery.step = dispatch(.node(node), at: outcome, takesLate: takesLate)
      case .link(let unmanaged):
        let link = unsafe unmanaged.takeUnretainedValue()
        if link.answers(outcome), let stage = link.stage {
          unsafe unmanaged.release()
          return delivery.step = answer(stage)
        }
        // The target of a one-way link was notified, and has removed it.
        guard !link.isOneWay || !link.concerns(outcome, at: .source) else { break }
        unsafe unmanaged.release()
        return delivery.step = .pass(link)
      case .derived(let derived):
        if outcome == .cancelled { break }
        return delivery.step = unsafe answer(Stage(target: derived.takeRetainedValue(), link: nil))
      case .child(let child):
        // Of a cancellation it was notified.
        if outcome == .cancelled { break }
        guard unsafe child.keep() else { continue }
        return delivery.step = .forget(unsafe child.takeRetainedValue())
      case .timer: break
      }
      delivery.drop(entry)
    }
    phase = .resolved
    delivery.step = .over(takeEnding())
  }

  private mutating func answer(_ stage: Stage) -> Step {
    if !stage.runsInline { unreturned += 1 }
    return .answer(stage)
  }

  /// Takes the next late piece of a delivery; false if there is none, and something else follows.
  mutating func nextLate(_ delivery: inout Delivery) -> Bool {
    next(&delivery, on: .current, takesLate: true)
    switch delivery.step {
    case .dispatch: return true
    case .answer: return true
    default: return false
    }
  }
}
