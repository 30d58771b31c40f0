// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Dispatch

// Gives the outcome to the handlers: runs or dispatches each of them. All of this runs outside of every lock, but for
// handlers that are late (`deliverLate`).

extension Future {
  /// Delivers when all neighbours have been notified.
  func deliverMarked(_ resolution: Resolution, _ decisions: inout DecisionQueue) {
    deliver(process { $0.marked(on: .current) }, resolution, &decisions)
  }

  /// Dispatches the handlers in their order, and those that were added meanwhile after them.
  func deliver(
    _ remains: consuming FutureMachine.Remains,
    _ resolution: Resolution,
    _ decisions: inout DecisionQueue
  ) {
    var chain = remains.handlers
    if !chain.isEmpty { wake(chain.takeWaiters(), resolution) }
    if Observation.isOn { Observation.reportOutcome(of: self, resolution) }
    if !remains.sources.isEmpty { cut(remains.sources) }
    var report = FutureMachine.Report()
    runSlot(&chain)
    if !chain.isEmpty { dispatchAll(&chain, resolution, &decisions, &report) }
    deliverRest(resolution, &decisions, &report)
  }

  /// Dispatches the handlers that were added while others were dispatched.
  private func deliverRest(
    _ resolution: Resolution,
    _ decisions: inout DecisionQueue,
    _ report: inout FutureMachine.Report
  ) {
    var progress = process { $0.delivered(&report) }
    while true {
      switch consume progress {
      case .deliverLate:
        progress = deliverLate(resolution, &decisions, &report)
      case .wakeSlot:
        HandlerWaits.wake(ObjectIdentifier(self))
        progress = process { $0.delivered(&report) }
      case .finish(let waiters):
        wake(waiters, resolution)
        return settle()
      case .wait:
        return settle()
      }
    }
  }

  /// Dispatches late handlers before the lock is left, so that later blocks on the queue don't overtake them, and so
  /// that this thread isn't occupied while others continue adding.
  ///
  /// All of them are for queues, and belong to the outcome: no user code is run or released by that.
  private func deliverLate(
    _ resolution: Resolution,
    _ decisions: inout DecisionQueue,
    _ report: inout FutureMachine.Report
  ) -> FutureMachine.Progress {
    // A scheduler is called without a lock; it has one thread, on which nothing comes in between.
    if hasScheduler {
      var chain = process { $0.takeLate() }
      dispatchAll(&chain, resolution, &decisions, &report)
      return process { $0.delivered(&report) }
    }
    return process { machine in
      var chain = machine.takeLate()
      dispatchAll(&chain, resolution, &decisions, &report)
      return machine.delivered(&report)
    }
  }

  /// Wakes the waiters for the outcome, before the handlers of any future of the tree start.
  func wakeWaiters(_ resolution: Resolution) {
    var waiters = process { $0.takeWaiters() }
    wake(waiters.takeWaiters(), resolution)
  }

  /// Runs or dispatches each handler.
  private func dispatchAll(
    _ chain: inout HandlerChain,
    _ resolution: Resolution,
    _ decisions: inout DecisionQueue,
    _ report: inout FutureMachine.Report
  ) {
    while let entry = chain.next() {
      if let link = entry.link {
        pass(link, resolution, &decisions, &report)
        continue
      }
      guard let node = entry.handler else { continue }
      if node.awaitsOthers {
        report.waiters.append(node)
        continue
      }
      guard node.matches(resolution.outcome) else {
        node.revoke()
        continue
      }
      switch node.context {
      case .inline:
        run(node, resolution)
      case .queue(let queue):
        report.dispatchedCount += 1
        dispatch(node, on: queue, resolution)
      case .serialQueue:
        report.dispatchedCount += 1
        if !hasScheduler { chain.takeBatch(after: node, matching: resolution.outcome) }
        dispatchBatch(node, resolution)
      }
    }
  }

  /// Runs the handler without a node, unless it is for the other outcome.
  private func runSlot(_ chain: inout HandlerChain) {
    guard let handler = chain.takeSlot() else { return }
    // Released before its end is reported, as that of a node is.
    run(handler)
    // `delivered`, if it comes next, reports the same.
    if !chain.isEmpty, process({ $0.handlers.slotReturned() }) { HandlerWaits.wake(ObjectIdentifier(self)) }
  }

  /// Runs or dispatches a handler that came after the outcome, and that the machine has counted.
  func dispatchLate(_ node: HandlerNode, _ resolution: Resolution) {
    switch node.context {
    case .inline:
      run(node, resolution)
      letGo()
    case .queue(let queue):
      dispatch(node, on: queue, resolution)
    case .serialQueue:
      dispatchBatch(node, resolution)
    }
  }

  private func dispatch(_ node: HandlerNode, on queue: DispatchQueue, _ resolution: Resolution) {
    node.prepare(for: self, resolution)
    dispatch(node.kind, on: queue) {
      guard let (future, resolution) = node.takeDelivery() else { return }
      future.run(node, resolution)
      future.letGo()
    }
  }

  /// Runs a handler, and those that were appended to it, in one block of the private queue.
  private func dispatchBatch(_ first: HandlerNode, _ resolution: Resolution) {
    first.prepare(for: self, resolution)
    enqueue(first.kind) {
      guard let (future, resolution) = first.takeDelivery() else { return }
      var batch = HandlerChain(first)
      while let node = batch.next()?.handler { future.run(node, resolution) }
      future.letGo()
    }
  }

  /// Runs the handler without a node on this thread, if it belongs to the outcome.
  private func run(_ handler: consuming SlotHandler) {
    guard Observation.isOn, handler.runs else { return handler.run() }
    let handler = handler.handler
    Observation.timing(self) { CurrentFuture.runOutside(handler) }
  }

  /// Runs a handler on this thread, unless it was unregistered.
  private func run(_ node: HandlerNode, _ resolution: Resolution) {
    guard Observation.isOn, node.role == .user else { return node.run(resolution) }
    Observation.timing(self) { node.run(resolution) }
  }

  func wake(_ waiters: consuming HandlerChain, _ resolution: Resolution) {
    while let waiter = waiters.next()?.handler { waiter.run(resolution) }
  }
}
