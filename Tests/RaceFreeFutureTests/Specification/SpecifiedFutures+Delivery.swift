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
    switch consume effect {
    case .finish(let sources):
      let pieces = FutureMachine.Delivery(resolution: .completed, sources: sources, step: .over(nil))
      begin(player, Delivery(future: futures[future - 1], pieces: pieces))
    case let effect:
      begin(player, player.engine.perform(effect, of: futures[future - 1]))
    }
    showRest(player)
  }

  /// A step of the engine, which isn't in a delivery.
  func walk(_ player: SpecifiedThread) {
    player.position = .walk
    var begun: Delivery?
    _ = player.engine.step(&begun)
    begin(player, begun)
    if player.leaving != nil { player.position = .enqueueNeighbor } else { showRest(player) }
  }

  /// A step of the delivery; or the end, if there is none.
  func deliver(_ player: SpecifiedThread) {
    if var delivery = player.delivery.take() {
      if delivery.step(by: &player.engine) { return keep(delivery, player) }
    }
    if player.engine.hasWork {
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
    showRest(player)
  }

  private func begin(_ player: SpecifiedThread, _ delivery: consuming Delivery?) {
    guard let delivery = consume delivery else { return }
    player.owner = number(delivery.future)
    keep(delivery, player)
  }

  /// Keeps a delivery until its next step, and shows what is left of it.
  private func keep(_ delivery: consuming Delivery, _ player: SpecifiedThread) {
    player.sources = []
    let future = delivery.future
    delivery.pieces.sources.forEach { player.sources.append(name($0.identity(of: future))) }
    player.position = player.sources.isEmpty ? .handOver : .cut
    switch delivery.pieces.step {
    case .next: player.position = .take
    case .run(_, let handler):
      let name = name(handler, of: player.owner)
      started.insert(CallName(name))
      player.step = ["run", [name]]
    case .dispatch(let batch, _):
      player.step = ["dispatch", .tuple(handlers(of: batch, player.owner).map(\.name))]
    case .pass(let link): player.step = ["pass", [name(ObjectIdentifier(link))]]
    case .forget(let child): player.step = ["forget", [name(ObjectIdentifier(child))]]
    case .answer(let stage): player.step = ["answer", [name(ObjectIdentifier(stage.target))]]
    case .late: player.step = ["late", []]
    case .over: player.step = ["over", []]
    default: player.step = "unknown"
    }
    player.delivery = consume delivery
  }

  private func handlers(
    of batch: FutureMachine.Batch,
    _ future: Int
  ) -> [(name: SpecifiedValue, handler: HandlerID)] {
    var (batch, found) = (batch, [(SpecifiedValue, HandlerID)]())
    while let handler = batch.popFirst() { found.append((name(handler, of: future), handler)) }
    return found
  }

  private func showRest(_ player: SpecifiedThread) {
    if player.delivery != nil { return }
    if player.engine.hasWork { return player.position = .walk }
    (player.position, player.owner, player.sources, player.step) = (.handOver, 0, [], ["over", []])
  }

  /// The place of the real queues.
  private func enqueue(_ work: Engine.QueuedWork, of future: Future, by player: SpecifiedThread) {
    let number = number(future)
    switch work {
    case .decision(let resolution):
      player.leaving = (number, resolution)
    case .handlers(let batch, _):
      // Taken apart, as they are one by one in the queue.
      for (index, (name, handler)) in handlers(of: batch, number).enumerated() {
        queues[number - 1].append(Queued(call: CallName(name), handler: handler, isFirstOfBatch: index == 0))
      }
    case .stage:
      break
    }
  }
}

extension Engine {
  /// The answers of derived futures, in order.
  var answers: [(target: Future, resolution: Resolution)] {
    var (decisions, answers) = (work.decisions, next.map { [$0] } ?? [])
    while let decision = decisions.popFirst() { answers.append(decision) }
    return answers
  }

  /// True if there are futures to notify, to deliver or to decide.
  fileprivate var hasWork: Bool {
    let work = work
    return !work.wave.isEmpty || !work.waves.isEmpty || !work.marked.isEmpty || !answers.isEmpty
  }
}
