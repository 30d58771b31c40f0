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

  /// Does what a link to a resolved future asks.
  func follow(_ link: Link, _ sourceResolution: Resolution) {
    carryOut(process { $0.follow(link, sourceResolution) }, sourceResolution)
  }

  @discardableResult
  private func carryOut(_ decision: FutureMachine.Decision, _ resolution: Resolution) -> Bool {
    switch decision {
    case .ignore, .join:
      return false
    case .hold:
      return true
    case .joinLine:
      enqueueDecision(resolution)
      return false
    case .deliver(let handlers):
      deliver(handlers, resolution)
      return true
    case .mark(let links):
      TreeWalk.run(from: self, links, resolution)
      return true
    }
  }

  /// Takes the decision, which has been counted in line, when its turn comes on the private queue.
  func enqueueDecision(_ resolution: Resolution) {
    enqueue { [self] in carryOut(process { $0.decide(resolution, .dequeued) }, resolution) }
  }

  // MARK: Handing over

  /// Hands the handlers over in their order, and those that were added meanwhile after them.
  func deliver(_ handlers: HandlerChain, _ resolution: Resolution) {
    let onPrivateQueue = holdsTurn
    var chain = handlers
    while true {
      let count = handOver(&chain, resolution, onPrivateQueue)
      switch process({ $0.delivered(count) }) {
      case .deliver(let added):
        chain = added
      case .finish(let tasks):
        wake(tasks, resolution)
        return
      case .wait:
        return
      }
    }
  }

  /// Runs or dispatches each handler; returns how many pieces of work were given to queues.
  private func handOver(_ chain: inout HandlerChain, _ resolution: Resolution, _ onPrivateQueue: Bool) -> Int {
    var count = 0
    while let node = chain.next() {
      guard node.matches(resolution.outcome) else {
        node.revoke()
        continue
      }
      switch node.context {
      case .inline:
        node.run(resolution, onPrivateQueue: onPrivateQueue)
      case .queue(let queue):
        count += 1
        dispatch(node, on: queue, resolution)
      case .serialQueue:
        count += 1
        dispatchBatch(chain.nextBatch(startingWith: node, matching: resolution.outcome), resolution)
      }
    }
    return count
  }

  /// Runs or dispatches a handler that came after the outcome, and that the machine has counted.
  func dispatchLate(_ node: HandlerNode, _ resolution: Resolution) {
    switch node.context {
    case .inline:
      node.run(resolution, onPrivateQueue: holdsTurn)
      workReturned(resolution)
    case .queue(let queue):
      dispatch(node, on: queue, resolution)
    case .serialQueue:
      dispatchBatch(HandlerChain(node), resolution)
    }
  }

  private func dispatch(_ node: HandlerNode, on queue: DispatchQueue, _ resolution: Resolution) {
    queue.async { [self] in
      node.run(resolution, onPrivateQueue: false)
      workReturned(resolution)
    }
  }

  private func dispatchBatch(_ batch: HandlerChain, _ resolution: Resolution) {
    enqueue { [self] in
      var batch = batch
      while let node = batch.next() { node.run(resolution, onPrivateQueue: true) }
      workReturned(resolution)
    }
  }

  private func workReturned(_ resolution: Resolution) {
    if case .finish(let tasks) = process({ $0.returned() }) { wake(tasks, resolution) }
  }

  private func wake(_ tasks: [ParkedTask], _ resolution: Resolution) {
    let hop = holdsTurn
    for task in tasks { task.wake(with: resolution, hop: hop) }
  }
}
