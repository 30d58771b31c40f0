// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Dispatch

// Carries out what `FutureMachine` answers. All of this runs outside of every lock.

extension Future {
  // MARK: Deciding

  /// Completes or cancels, in place or in line.
  ///
  /// - Returns: whether this very call decided the outcome; false also if it joined the line.
  @discardableResult
  func decide(_ resolution: Resolution) -> Bool {
    carryOut(process { $0.decide(resolution, .arriving) }, resolution)
  }

  /// Completes or cancels, and waits for its turn if it has to join the line.
  func decideAndWait(_ resolution: Resolution) -> Bool {
    if holdsTurn { return carryOut(process { $0.decide(resolution, .inside) }, resolution) }
    let decision = process { $0.decide(resolution, .arriving) }
    guard case .joinLine = decision else { return carryOut(decision, resolution) }
    return enqueueAndWait { carryOut(process { $0.decide(resolution, .dequeued) }, resolution) }
  }

  /// The block that has the turn completes or cancels; handlers follow when it has returned.
  func decideInside(_ resolution: Resolution) {
    carryOut(process { $0.decide(resolution, .inside) }, resolution)
  }

  /// Ends a `perform` block.
  func endPerform() {
    let decision = process { $0.performEnded() }
    // Only the end of a block that has decided comes with work, and then there is a resolution.
    if let resolution { carryOut(decision, resolution) }
  }

  /// Does what a link asks, whose other end has been resolved.
  func follow(_ hook: Hook, _ otherResolution: Resolution) {
    let (decision, resolution) = process { $0.follow(hook, otherResolution) }
    carryOut(decision, resolution)
  }

  /// Carries out a decision, and all further ones that come up.
  @discardableResult
  private func carryOut(_ decision: FutureMachine.Decision, _ resolution: Resolution) -> Bool {
    var errands = Errands()
    let isDecided = carryOut(decision, resolution, &errands)
    errands.run()
    return isDecided
  }

  @discardableResult
  fileprivate func carryOut(
    _ decision: FutureMachine.Decision,
    _ resolution: Resolution,
    _ errands: inout Errands
  ) -> Bool {
    switch decision {
    case .ignore, .join:
      return false
    case .hold:
      return true
    case .joinLine:
      enqueueDecision(resolution)
      return false
    case .deliver(let handlers):
      deliver(handlers, resolution, &errands)
      return true
    case .mark(let links):
      TreeWalk.run(from: self, links, resolution, &errands)
      return true
    }
  }

  /// Takes the decision, which has been counted in line, when its turn comes on the private queue.
  func enqueueDecision(_ resolution: Resolution) {
    enqueue(resolution.outcome == .completed ? .complete : .cancel) { [self] in
      carryOut(process { $0.decide(resolution, .dequeued) }, resolution)
    }
  }

  // MARK: Handing over

  /// Hands the handlers over in their order, and those that were added meanwhile after them.
  func deliver(_ handlers: consuming HandlerChain, _ resolution: Resolution, _ errands: inout Errands) {
    if Observation.isOn { Observation.tellEnd(of: self, resolution) }
    if holdsTurn { errands.isOnPrivateQueue = true }
    var chain = consume handlers
    while true {
      let count = handOver(&chain, resolution, &errands)
      switch process({ $0.delivered(count) }) {
      case .deliver(let added):
        chain = added
      case .finish(let waiters):
        wake(waiters, resolution, hop: errands.isOnPrivateQueue)
        return
      case .wait:
        return
      }
    }
  }

  /// Runs or dispatches each handler; returns how many pieces of work were given to queues.
  private func handOver(_ chain: inout HandlerChain, _ resolution: Resolution, _ errands: inout Errands) -> Int {
    runNodeless(&chain, resolution.outcome)
    var count = 0
    while let node = chain.next() {
      guard node.matches(resolution.outcome) else {
        node.revoke()
        continue
      }
      switch node.context {
      case .inline:
        if let errand = run(node, resolution, onPrivateQueue: errands.isOnPrivateQueue) { errands.append(errand) }
      case .queue(let queue):
        count += 1
        dispatch(node, on: queue, resolution)
      case .serialQueue:
        count += 1
        // A conductor may let others act between two handlers, as they do while a batch runs.
        let batch =
          conductedQueue != nil
          ? HandlerChain(node)
          : chain.nextBatch(startingWith: node, matching: resolution.outcome)
        dispatchBatch(batch, node.kind, resolution)
      }
    }
    return count
  }

  /// Runs the handler without a node, unless it was removed or is for the other outcome.
  private func runNodeless(_ chain: inout HandlerChain, _ outcome: Outcome) {
    guard let handler = chain.takeNodeless() else { return }
    guard handler.trigger == nil || handler.trigger == outcome else {
      _ = nodelessClaim.remove()
      return
    }
    guard nodelessClaim.begin() else { return }
    do {
      // Released before `end`, as that of a node is.
      let body = (consume handler).handler
      if Observation.isOn { Observation.timing(self, body) } else { body() }
    }
    nodelessClaim.end(self)
  }

  /// Runs or dispatches a handler that came after the outcome, and that the machine has counted; returns the decision
  /// that it asks for.
  func dispatchLate(_ node: HandlerNode, _ resolution: Resolution) -> Errand? {
    switch node.context {
    case .inline:
      let errand = run(node, resolution, onPrivateQueue: holdsTurn)
      workReturned(resolution)
      return errand
    case .queue(let queue):
      dispatch(node, on: queue, resolution)
    case .serialQueue:
      dispatchBatch(HandlerChain(node), node.kind, resolution)
    }
    return nil
  }

  private func dispatch(_ node: HandlerNode, on queue: DispatchQueue, _ resolution: Resolution) {
    let work: @Sendable () -> Void = { [self] in
      run(node, resolution, onPrivateQueue: false)?.run()
      workReturned(resolution)
    }
    if let own = conductedQueue {
      own.conductor.enqueue(ConductedWork(place: .queue(queue), kind: node.kind, future: own, run: work))
    } else {
      queue.async(execute: work)
    }
  }

  private func dispatchBatch(_ batch: HandlerChain, _ kind: ConductedWork.Kind, _ resolution: Resolution) {
    enqueue(kind) { [self] in
      var batch = batch
      var errands = Errands(isOnPrivateQueue: true)
      while let node = batch.next() {
        if let errand = run(node, resolution, onPrivateQueue: true) { errands.append(errand) }
      }
      errands.run()
      workReturned(resolution)
    }
  }

  /// Runs a handler on this thread, unless it was removed; returns the decision that it asks for.
  private func run(_ node: HandlerNode, _ resolution: Resolution, onPrivateQueue: Bool) -> Errand? {
    guard Observation.isOn, node.isUserHandler else { return node.run(resolution, onPrivateQueue: onPrivateQueue) }
    return Observation.timing(self) { node.run(resolution, onPrivateQueue: onPrivateQueue) }
  }

  private func workReturned(_ resolution: Resolution) {
    if case .finish(let waiters) = process({ $0.returned() }) { wake(waiters, resolution, hop: holdsTurn) }
  }

  private func wake(_ waiters: [HandlerNode], _ resolution: Resolution, hop: Bool) {
    for waiter in waiters { _ = waiter.run(resolution, onPrivateQueue: hop) }
  }
}

// MARK: - Errands

extension Errands {
  /// Decides them all, and those that come up meanwhile.
  mutating func run() {
    while let errand = popFirst() {
      let (target, resolution) = (errand.target, errand.resolution)
      target.carryOut(target.process { $0.decide(resolution, .arriving) }, resolution, &self)
    }
  }
}

extension Errand {
  func run() {
    target.decide(resolution)
  }
}
