// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Dispatch

// The events of single handlers: added, begun, returned, unregistered. `Handler` says what is true of a single one.

extension FutureMachine {
  @inline(__always)
  private mutating func change<Result: ~Copyable>(
    _ handler: HandlerID,
    _ body: (inout Handler) -> Result
  ) -> Result {
    switch handler {
    case .first: body(&handlers.first)
    case .node(let node): body(&node.handler)
    }
  }

  // MARK: Adding

  /// Adds a user's handler: without a node, if it is the first one, or with a new node; or returns another effect.
  mutating func add(
    _ trigger: Future.Outcome?,
    _ place: HandlerPlace.Kind,
    _ work: consuming HandlerWork
  ) -> (HandlerID, Addition) {
    var work: HandlerWork? = work
    if addFirst(trigger, place, &work) { return (.first, .keep) }
    guard let work = work.take() else { return (.first, .drop) }
    let node = HandlerNode(trigger, place, work)
    return (.node(node), add(node))
  }

  /// Adds a handler without a node, if it is the first one; false if it needs a node.
  @inline(__always)
  mutating func addFirst(
    _ trigger: Future.Outcome?,
    _ place: HandlerPlace.Kind,
    _ work: inout HandlerWork?
  ) -> Bool {
    // Only if there never was one: a registration must not refer to another handler later.
    guard phase == .pending, !flags.contains(.hasFirst), handlers.entries.isEmpty, let work = work.take() else {
      return false
    }
    flags.insert(.hasFirst)
    handlers.first = Handler(trigger, place, work)
    return true
  }

  /// Adds a handler, or returns another effect.
  mutating func add(_ node: HandlerNode) -> Addition {
    guard let resolution else { return phase == .unresolvable ? .drop : keep(node) }
    guard node.handler.matches(resolution.outcome) else { return .drop }
    if isClosed { return .open }
    let runsInline = node.handler.runsInline
    let startsNow = phase == .resolved || (runsInline && phase != .held)
    guard startsNow else { return keep(node) }  // held: its handlers start after the block (L5)
    if runsInline { node.standing = .taken }
    countDispatched()
    return .dispatch(resolution)
  }

  private mutating func keep(_ node: HandlerNode) -> Addition {
    enlist(node)
    return .keep
  }

  /// Adds a node to the list.
  @inline(__always)
  mutating func enlist(_ node: HandlerNode) {
    if node.role != .library, node.role != .waiter, node.role != .drain { dependentAdded() }
    handlers.add(Entry(node), isLate: isLate)
  }

  /// True if what is added now waits until all others are delivered.
  var isLate: Bool { phase == .marking || phase == .delivering }

  /// Tells the node that watches, if there is one.
  @inline(__always)
  mutating func dependentAdded() { if flags.contains(.isWatched) { tellWatcher() } }

  @inline(never)
  private mutating func tellWatcher() {
    flags.remove(.isWatched)
    handlers.entries.forEach { $0.node?.handler.dependentAdded() }
  }

  /// Adds a node that is told of the first entry which depends on the future (`watching`), to a new future.
  mutating func addWatcher(_ node: HandlerNode) {
    handlers.add(Entry(node))
    flags.insert(.isWatched)
  }

  /// Stores the continuation of a task that is suspended, and adds its node; nil if `unpark` was called earlier.
  mutating func park(_ node: HandlerNode, _ continuation: UnsafeContinuation<Resolution?, Never>) -> Addition? {
    guard node.standing == .unparked else { return nil }
    node.standing = .free
    node.handler = Handler(nil, .inline, unsafe .awaiting(continuation))
    return add(node)
  }

  // MARK: Unregistering

  /// True if a handler runs at the outcome, or there is none yet.
  mutating func mayRun(_ handler: HandlerID) -> Bool {
    if handler.isTaken { return false }
    let outcome = resolution?.outcome
    return change(handler) { $0.mayRun(at: outcome) }
  }

  /// Unregisters a handler, and returns its work, to be released outside of the lock; nil if it has started, or was
  /// unregistered earlier.
  mutating func unregister(_ handler: HandlerID) -> HandlerWork? {
    if handler.isTaken { return nil }
    if case .node(let node) = handler, node.isListed, node.handler.isWaiting { handlers.remove(Entry(node)) }
    return change(handler) { $0.take() }
  }

  /// Withdraws the continuation of a task that is suspended, or keeps the task from being suspended.
  mutating func unpark(_ node: HandlerNode) -> HandlerWork? {
    if node.standing == .unparked { node.standing = .taken }
    return unregister(.node(node))
  }

  // MARK: Running

  /// Dispatches a handler, which has left the list or is the first, to its queue.
  ///
  /// Those that follow for the private queue go with it.
  mutating func dispatch(_ handler: HandlerID, at outcome: Future.Outcome, takesLate: Bool) -> Step {
    unreturned += 1
    let place = change(handler) { $0.dispatch() }
    var batch = Batch(handler)
    while case .serialQueue = place, !flags.contains(.isScheduled), let node = handlers.entries.first?.node,
      node.handler.runsOnPrivateQueue, node.handler.matches(outcome), takesLate || node.standing != .late
    {
      handlers.remove(Entry(node))
      batch.others.append(node)
    }
    return .dispatch(batch, place)
  }

  /// Takes the next handler of a batch, for the thread that has its block, when the one before has returned.
  mutating func next(of batch: inout Batch, after handler: HandlerID?, on thread: ThreadIdentity) -> Step {
    if let handler, let group = returned(handler) { return .leave(group) }
    while let handler = batch.popFirst() {
      if let work = change(handler, { $0.begin(on: thread) }) { return .run(work, handler) }
    }
    return .over(ended(nested: false))
  }

  /// Notes the return of a handler, whose captures have been released; returns the group that is to be left, if threads
  /// wait.
  mutating func returned(_ handler: HandlerID) -> DispatchGroup? { change(handler) { $0.end() } }

  /// Notes that a thread waits for the return of a handler: see `Handler.awaitEnd`.
  mutating func awaitReturn(
    of handler: HandlerID,
    by thread: ThreadIdentity,
    _ group: DispatchGroup
  ) -> DispatchGroup? {
    handler.isTaken ? nil : change(handler) { $0.awaitEnd(by: thread, group) }
  }
}
