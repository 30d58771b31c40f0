// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// What a future is and what becomes of it: a state machine with events in and actions out, and no lock, queue or
/// clock.
///
/// `Future` feeds it events inside its lock and carries out the actions after it has left the lock. Everything a future
/// promises about order and number is decided here.
///
///     pending ──decide──▶ marking ──marked──▶ delivering ──delivered──▶ resolved
///        │        └──────(no links)──────────────▲   └──▶ delivering (handlers added meanwhile)
///        └──decide inside a perform block──▶ held ──performEnded──▶ marking or delivering
///
/// Invariants:
///
/// - **M1** `resolution` is nil exactly while the phase is `pending`; once set it never changes. (L1)
/// - **M2** A decision that arrives while `inLine > 0` isn't taken: it joins the line. So nothing but a block's own
///   decision changes a pending future while a `perform` block waits or runs. (L4, L5)
/// - **M3** Everybody who joined the line (`perform` blocks and decisions) is enqueued on the private queue and leaves
///   the line in its turn there; `inLine` counts them. As that queue is serial, the phase is `held` only while one
///   block runs, and that block's `performEnded` ends it.
/// - **M4** Of all decisions one is answered by `held`, `mark` or `deliver`; the thread that got this answer delivers
///   (after `held`: the thread that ends the block). So there never are two deliverers. (L2)
/// - **M5** Handlers leave the list in order of registration, and the phase is `resolved` only when the list is empty.
///   A late handler for a queue joins the list until then, so it never overtakes. (L3)
/// - **M6** A handler is unlinked from the list only while the list is this machine's: in `pending`, `held` and
///   `marking`. Later its node belongs to the deliverer; a removed one stays as an empty node until the deliverer
///   passes it. The same holds for the handler without a node, which comes before the list.
/// - **M7** `links` change only while pending or held; `mark` hands them out frozen. They stay readable until `marked`,
///   so that another thread which walks through this future finds the same links. (L11)
struct FutureMachine {
  enum Phase: Hashable, CaseIterable {
    /// Undecided. → held, marking, delivering
    case pending
    /// Decided inside a `perform` block which hasn't returned. → marking, delivering
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

  /// What to do about a decision.
  enum Decision {
    /// Nothing: it came too late, or the future can't be resolved.
    case ignore
    /// Enqueue it on the private queue; it has been counted.
    case joinLine
    /// Nothing yet: the running block has decided, and its end brings the rest.
    case hold
    /// Tell the linked futures, then ask `marked` for the handlers.
    case mark(Links)
    /// Hand over these handlers, then report `delivered`.
    case deliver(HandlerChain)
    /// It came too late, but the futures linked to this one are still being told: whoever promises a whole tree tells
    /// them too.
    case join(Links)
  }

  /// What to do about a new handler.
  enum Addition {
    case keep
    /// Run or dispatch it now; it has been counted as handed over.
    case dispatch(Resolution)
    case drop
  }

  /// What to do when handlers have been handed over or have returned.
  enum Progress {
    /// Hand over these, which were added meanwhile.
    case deliver(HandlerChain)
    /// What they waited for has come: wake these.
    case finish([HandlerNode])
    case wait
  }

  private(set) var phase: Phase = .pending
  /// A future that can't be resolved and keeps nothing: `CancelToken.never`.
  private let isImmortal: Bool
  /// How many `perform` blocks and decisions wait or run on the private queue (M3).
  private(set) var inLine: Int32 = 0
  /// How many user handlers wait for the outcome.
  private(set) var handlerCount: Int32 = 0
  /// How many pieces of work were handed to queues and have not returned, less what the deliverer hasn't reported yet.
  private var unreturned: Int32 = 0
  private(set) var resolution: Resolution?
  /// The first handler if it runs inline, before all in the list: most futures have no other, and it needs no node.
  private var nodeless: (@Sendable () -> Void)?
  /// The outcome at which it runs; nil: both.
  private var nodelessTrigger: Future.Outcome?
  /// Whether there ever was one: a registration must not mean another handler later.
  private var hadNodeless = false
  private var handlers = IntrusiveList<HandlerNode>()
  private var links: Links?
  private var finishWaiters: [HandlerNode] = []

  init(isImmortal: Bool = false) {
    self.isImmortal = isImmortal
  }

  // MARK: Deciding

  /// Somebody completes or cancels.
  mutating func decide(_ resolution: Resolution, _ turn: Turn) -> Decision {
    if turn == .dequeued { inLine -= 1 }
    guard phase == .pending, !isImmortal else { return .ignore }
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
      return release()
    }
  }

  /// A future that is linked to this one, at the other end of the hook, was resolved.
  ///
  /// Returns also how it is resolved if the decision isn't ignored.
  mutating func follow(_ hook: Hook, _ otherResolution: Resolution) -> (Decision, Resolution) {
    guard let verdict = hook.verdict(for: otherResolution) else { return (.ignore, otherResolution) }
    if phase == .marking, let links, let resolution { return (.join(links), resolution) }
    return (decide(verdict, .arriving), verdict)
  }

  /// A `perform` block joins the line.
  mutating func performBegan() {
    inLine += 1
  }

  /// A `perform` block has returned.
  mutating func performEnded() -> Decision {
    inLine -= 1
    return phase == .held ? release() : .ignore
  }

  /// All linked futures have been told.
  mutating func marked() -> HandlerChain {
    phase = .delivering
    links = nil
    return takeHandlers()
  }

  private mutating func release() -> Decision {
    if let links {
      phase = .marking
      return .mark(links)
    }
    phase = .delivering
    return .deliver(takeHandlers())
  }

  private mutating func takeHandlers() -> HandlerChain {
    handlerCount = 0
    let first = nodeless.take().map { NodelessHandler(handler: $0, trigger: nodelessTrigger) }
    return HandlerChain(handlers.takeAll(), after: first)
  }

  // MARK: Handlers

  /// Takes in an inline handler without a node, if it is the first handler; false if it needs a node.
  mutating func addNodeless(_ trigger: Future.Outcome?, _ handler: @escaping @Sendable () -> Void) -> Bool {
    guard phase == .pending, !hadNodeless, handlers.isEmpty, !isImmortal else { return false }
    nodeless = handler
    nodelessTrigger = trigger
    hadNodeless = true
    handlerCount += 1
    return true
  }

  /// The handler without a node was taken back: hands it out, if it still is here, to be released outside of the lock.
  ///
  /// Returns also whether it might have run.
  mutating func removeNodeless() -> (handler: (@Sendable () -> Void)?, mightHaveRun: Bool) {
    if nodeless != nil { handlerCount -= 1 }
    let mightHaveRun = resolution == nil || nodelessTrigger == nil || nodelessTrigger == resolution?.outcome
    return (nodeless.take(), mightHaveRun)
  }

  /// Takes in a handler, or says what else is to become of it.
  mutating func add(_ node: HandlerNode) -> Addition {
    guard let resolution else {
      if isImmortal { return .drop }
      return keep(node)
    }
    guard node.matches(resolution.outcome) else { return .drop }
    let startsNow = phase == .resolved || (node.runsInline && phase != .held)
    guard startsNow else { return keep(node) }  // M5; held: its handlers start after the block (L5)
    unreturned += 1
    return .dispatch(resolution)
  }

  private mutating func keep(_ node: HandlerNode) -> Addition {
    handlers.append(node)
    if node.isUserHandler { handlerCount += 1 }
    return .keep
  }

  /// Its handler was taken back: unlinks the node if it still stands in the list.
  ///
  /// Returns whether it might have run.
  mutating func remove(_ node: HandlerNode) -> Bool {
    let mightHaveRun = resolution.map { node.matches($0.outcome) } ?? true
    guard node.isListed, phase == .pending || phase == .held || phase == .marking else { return mightHaveRun }  // M6
    handlers.remove(node)
    if node.isUserHandler { handlerCount -= 1 }
    return mightHaveRun
  }

  /// A chain has been handed over, `count` pieces of it to queues.
  mutating func delivered(_ count: Int) -> Progress {
    unreturned += Int32(count)
    if !handlers.isEmpty { return .deliver(takeHandlers()) }
    phase = .resolved
    return finishIfDone()
  }

  /// A piece of work that was handed over has returned.
  mutating func returned() -> Progress {
    unreturned -= 1
    return finishIfDone()
  }

  /// Somebody waits for the end of all handlers or, with `waitsForDeliveryOnly`, of the inline ones alone.
  ///
  /// Returns the resolution if they have all returned.
  mutating func awaitFinish(_ waiter: HandlerNode) -> Resolution? {
    if phase == .resolved, unreturned == 0 || waiter.waitsForDeliveryOnly { return resolution }
    if !isImmortal { finishWaiters.append(waiter) }
    return nil
  }

  private mutating func finishIfDone() -> Progress {
    guard phase == .resolved, !finishWaiters.isEmpty else { return .wait }
    let all = exchange(&finishWaiters, with: [])
    if unreturned == 0 { return .finish(all) }
    finishWaiters = all.filter { !$0.waitsForDeliveryOnly }
    return finishWaiters.count == all.count ? .wait : .finish(all.filter(\.waitsForDeliveryOnly))
  }

  // MARK: Links

  /// Takes in one end of a link; false if there is nothing to wait for any more.
  mutating func link(_ hook: Hook) -> Bool {
    guard phase == .pending, !isImmortal, !hook.link.isSevered else { return false }
    let links = self.links ?? Links()
    self.links = links
    links.append(hook)
    return true
  }

  /// Lets go of one end of a link.
  mutating func unlink(_ hook: Hook) {
    guard phase == .pending || phase == .held, hook.isListed, let links else { return }  // M7
    links.remove(hook)
    if links.hooks.isEmpty { self.links = nil }
  }

  // MARK: The end

  /// The future goes: takes out its handlers.
  mutating func dismantleHandlers() -> HandlerChain {
    takeHandlers()
  }

  /// The future goes: takes out its links.
  mutating func dismantleLinks() -> Links? {
    defer { links = nil }
    return links
  }
}
