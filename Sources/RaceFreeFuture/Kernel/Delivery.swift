// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Dispatch

// The delivery of one future that is resolved: what waited for it is run or dispatched, piece by piece, by the thread that
// has decided it (M4). All of it runs outside of every lock, but for handlers that are late: see `deliverLate`.

extension FutureMachine.Remains {
  /// Wakes the waiters, before any handler starts, and reports the outcome.
  @inline(__always)
  mutating func begin(_ future: Future, _ resolution: Resolution, _ hooks: Hooks) {
    if handlers.first?.role == .waiter { future.wake(handlers.takeWaiters(), resolution) }
    if hooks.contains(.observer) { Observation.reportOutcome(of: future, resolution) }
  }

  /// Does the next piece of the delivery.
  ///
  /// - Returns: False if it was the last one.
  @inline(__always)
  mutating func step(
    _ future: Future,
    _ resolution: Resolution,
    _ report: inout FutureMachine.Report,
    _ engine: inout Engine
  ) -> Bool {
    if let link = sources.popFirst() {
      cut(link)
    } else if let handler = handlers.takeSlot() {
      run(handler, future, engine.hooks)
    } else if let entry = handlers.next() {
      pass(entry, future, resolution, &report, &engine)
    } else {
      if isReported { finish(future, resolution, &report, &engine) }
      return false
    }
    return true
  }

  /// Cuts all links by which the future depended on others.
  consuming func cut() {
    while let link = sources.popFirst() { cut(link) }
  }

  /// Cuts a link by which the future depended on another one, which drops it.
  private func cut(_ link: Link) {
    // The user's closure, for a target that no longer needs it (K3).
    _ = link.stage?.takeClosure()
    // A source that the link keeps needn't be retained for the call; one that it doesn't keep may be gone.
    if link.keptEnd == .source {
      link.kept.process { $0.detach(link) }
    } else {
      link.future(at: .source)?.process { $0.detach(link) }
    }
  }

  /// Runs the handler without a node, unless it is for the other outcome.
  @inline(__always)
  private func run(_ handler: consuming SlotHandler, _ future: Future, _ hooks: Hooks) {
    // Released before its end is reported, as that of a node is.
    handler.run(hooks)
    // `delivered`, if it comes next, reports the same.
    if !handlers.isEmpty, future.process({ $0.slotReturned() }) { HandlerWaits.wake(ObjectIdentifier(future)) }
  }

  /// Runs or dispatches an entry, which has left the list.
  private mutating func pass(
    _ entry: ListEntry,
    _ future: Future,
    _ resolution: Resolution,
    _ report: inout FutureMachine.Report,
    _ engine: inout Engine
  ) {
    if let link = entry.link { return pass(link, future, resolution, &report, &engine) }
    guard let node = entry.handler else { return }
    if node.awaitsOthers { return report.waiters.append(node) }
    guard node.matches(resolution.outcome) else {
      node.revoke()
      return
    }
    if node.runsInline { return node.run(resolution, engine.hooks) }
    report.dispatchedCount += 1
    if node.runsOnPrivateQueue, !future.hasScheduler { handlers.takeBatch(after: node, matching: resolution.outcome) }
    engine.enqueue(.handlers(node, resolution), of: future)
  }

  /// Does what remains for a link whose source, the future, is delivered.
  private func pass(
    _ link: Link,
    _ future: Future,
    _ resolution: Resolution,
    _ report: inout FutureMachine.Report,
    _ engine: inout Engine
  ) {
    if let stage = link.stage, stage.answers(resolution.outcome) {
      if stage.runsInline {
        if let answer = stage.run(resolution) { engine.decide(stage.target, answer) }
      } else {
        report.dispatchedCount += 1
        engine.enqueue(.stage(stage, resolution), of: future)
      }
      return
    }
    // By a link that acts one way the target was notified, which has removed it.
    if link.isOneWay, link.concerns(resolution.outcome, at: .source) { return }
    // One that is resolved cuts it.
    if let target = link.future(at: .target), target.decidedOutcome == nil { target.process { $0.ignore(link) } }
  }

  /// Reports the end, and dispatches the handlers that were added meanwhile.
  @inline(__always)
  private mutating func finish(
    _ future: Future,
    _ resolution: Resolution,
    _ report: inout FutureMachine.Report,
    _ engine: inout Engine
  ) {
    var progress = future.process { $0.delivered(&report) }
    while true {
      switch consume progress {
      case .late:
        progress = deliverLate(future, resolution, &report, &engine)
      case .wakeSlot:
        HandlerWaits.wake(ObjectIdentifier(future))
        progress = future.process { $0.delivered(&report) }
      case .over(let ending):
        guard let ending else { return }
        return future.conclude(ending)
      }
    }
  }

  /// Dispatches late handlers and reports that, before the lock is left: so later blocks on the queue don't overtake
  /// them, and it is over, however many threads continue adding.
  ///
  /// All of them are for queues, and belong to the outcome: no user code is run or released by that.
  private mutating func deliverLate(
    _ future: Future,
    _ resolution: Resolution,
    _ report: inout FutureMachine.Report,
    _ engine: inout Engine
  ) -> FutureMachine.Progress {
    // A scheduler is called without a lock; it has one thread, on which nothing comes in between.
    if future.hasScheduler {
      handlers = future.process { $0.takeLate() }
      while let entry = handlers.next() { pass(entry, future, resolution, &report, &engine) }
      return future.process { $0.delivered(&report) }
    }
    return future.process { machine in
      handlers = machine.takeLate()
      while let entry = handlers.next() { pass(entry, future, resolution, &report, &engine) }
      return machine.delivered(&report)
    }
  }
}

extension Future {
  /// Runs or dispatches a handler that came after the outcome, and that the machine has counted.
  func dispatchLate(_ node: HandlerNode, _ resolution: Resolution) {
    switch node.context {
    case .inline:
      node.run(resolution)
      letGo()
    case .queue, .serialQueue:
      enqueue(.handlers(node, resolution))
    }
  }

  /// Runs or dispatches a stage that came after the outcome, and that the machine has counted; returns its answer.
  func dispatchLate(_ stage: Stage, _ resolution: Resolution) -> Resolution? {
    guard stage.runsInline else {
      enqueue(.stage(stage, resolution))
      return nil
    }
    defer { letGo() }
    return stage.run(resolution)
  }

  // MARK: Queues

  /// Gives work to its queue.
  func enqueue(_ work: Engine.QueuedWork) {
    switch work {
    case .decision(let resolution):
      enqueue(resolution.outcome == .completed ? .complete : .cancel) { [self] in decide(resolution, .dequeued) }
    case .handlers(let node, let resolution):
      if case .queue(let queue) = node.context { return dispatch(node, on: queue, resolution) }
      dispatchBatch(node, resolution)
    case .stage(let stage, let resolution):
      let work: @Sendable () -> Void = { [self] in
        stage.target.decide(byLink: stage.run(resolution))
        letGo()
      }
      if case .queue(let queue) = stage.context { return dispatch(.stage, on: queue, work) }
      enqueue(.stage, work)
    }
  }

  private func dispatch(_ node: HandlerNode, on queue: DispatchQueue, _ resolution: Resolution) {
    node.prepare(for: self, resolution)
    dispatch(node.kind, on: queue) {
      guard let (future, resolution) = node.takeDelivery() else { return }
      node.run(resolution)
      future.letGo()
    }
  }

  /// Runs a handler, and those that were appended to it, in one block of the private queue.
  private func dispatchBatch(_ first: HandlerNode, _ resolution: Resolution) {
    first.prepare(for: self, resolution)
    enqueue(first.kind) {
      guard let (future, resolution) = first.takeDelivery() else { return }
      var batch = HandlerChain(first)
      while let node = batch.next()?.handler { node.run(resolution) }
      future.letGo()
    }
  }

  /// Wakes the waiters for the outcome, before the handlers of any future of the tree start.
  func wakeWaiters() {
    var waiters = process { $0.handlers.takeWaiters() }
    if let resolution { wake(waiters.takeWaiters(), resolution) }
  }

  func wake(_ waiters: consuming HandlerChain, _ resolution: Resolution) {
    while let waiter = waiters.next()?.handler { waiter.run(resolution) }
  }
}
