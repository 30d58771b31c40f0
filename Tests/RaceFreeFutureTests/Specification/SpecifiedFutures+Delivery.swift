// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

@testable import RaceFreeFuture

// The steps of walks and deliveries: those of an `Engine`, which is stopped after each of them.

extension SpecifiedFutures {
  /// Begins to perform the effect of an event.
  func perform(
    _ effect: consuming FutureMachine.Effect,
    _ player: SpecifiedThread,
    _ future: Int,
    then: SpecifiedThread.Position,
    says: String
  ) {
    (player.then, player.says) = (then, says)
    player.engine = Engine { [unowned self, unowned player] work, future in enqueue(work, of: future, by: player) }
    player.position = .handOver
    player.owner = future
    player.engine.perform(effect, of: futures[future - 1]) { begin(player, $1, $2, $3) }
    showRest(player)
  }

  /// A step of the engine, which isn't in a delivery.
  func walk(_ player: SpecifiedThread) {
    player.position = .walk
    _ = player.engine.step { begin(player, $1, $2, $3) }
    if player.leaving != nil { player.position = .enqueueNeighbor } else { showRest(player) }
  }

  /// A step of the delivery; or the end, if there is none.
  func deliver(_ player: SpecifiedThread) {
    if var remains = player.remains.take() {
      let isLast = !remains.step(futures[player.owner - 1], player.resolution, &player.report, &player.engine)
      if !isLast { return player.keep(remains) }
    }
    if player.engine.work.hasTree {
      player.position = .walk
    } else if player.then == .return {
      returns(player, player.says)
    } else {
      player.rest(at: player.then, says: player.says)
    }
  }

  func enqueueNeighbor(_ player: SpecifiedThread) {
    guard let (future, decision) = player.leaving.take() else { return }
    queues[future - 1].append(Queued(call: CallName(decidingBy: decision)))
    player.position = .walk
  }

  private func begin(
    _ player: SpecifiedThread,
    _ future: Future,
    _ resolution: Resolution,
    _ remains: consuming FutureMachine.Remains
  ) {
    (player.owner, player.resolution) = (number(future), resolution)
    if remains.handlers.hasSlot, let name = slots[player.owner] {
      let trigger = call(name).trigger
      slotClaims[name] = trigger == nil || trigger == resolution.outcome ? "started" : "dropped"
    }
    var remains = remains
    remains.begin(future, resolution, .now)
    player.report = FutureMachine.Report()
    player.keep(remains)
  }

  private func showRest(_ player: SpecifiedThread) {
    if player.remains == nil, player.engine.work.hasTree { player.position = .walk }
  }

  /// The place of the real queues.
  private func enqueue(_ work: Engine.QueuedWork, of future: Future, by player: SpecifiedThread) {
    let number = number(future)
    switch work {
    case .decision(let resolution):
      player.leaving = (number, resolution)
    case .handlers(let first, _):
      var batch = HandlerChain(first)
      var nodes: [HandlerNode] = []
      while let node = batch.next()?.handler { nodes.append(node) }
      for (index, node) in nodes.enumerated() {
        queues[number - 1].append(
          Queued(call: CallName(name(node)), node: node, isLastOfBatch: index == nodes.count - 1)
        )
      }
    case .stage:
      break
    }
  }
}

extension Engine.Work {
  /// True if there are futures to notify or to deliver.
  fileprivate var hasTree: Bool { !wave.isEmpty || !waves.isEmpty || !marked.isEmpty }
}
