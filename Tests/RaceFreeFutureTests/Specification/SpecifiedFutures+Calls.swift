// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

@testable import RaceFreeFuture

// The steps of clients and of the threads of queues: what the methods of `Future` do between two turns of the lock.

extension SpecifiedFutures {
  /// The numbers of the threads that can continue, from 1: the clients', then the queues'.
  var readyThreads: Set<Int> {
    Set(players.indices.filter { isReady(players[$0]) }.map { $0 + 1 })
  }

  private func isReady(_ player: SpecifiedThread) -> Bool {
    if let queue = player.queue { return player.position != .idle || !queues[queue - 1].isEmpty }
    guard let client = player.client else { return false }
    return switch player.position {
    case .idle: player.at < programs[client].count
    case .waiting: answers[client - 1] != nil
    default: true
    }
  }

  /// Takes the next step of a thread, and returns its events.
  func step(_ thread: Int) -> SpecifiedValue {
    let player = players[thread - 1]
    switch player.position {
    case .idle:
      if let queue = player.queue { takeTurn(player, queue) } else { begin(player) }
    case .enqueue, .waiting, .add, .late: continueCall(player)
    case .walk: walk(player)
    case .enqueueNeighbor: enqueueNeighbor(player)
    case .cut, .handOver, .take: deliver(player)
    case .block: runBlock(player)
    case .end: endBlock(player)
    case .answer: answer(player)
    case .return: break
    }
    return log.takeAll()
  }

  // MARK: Clients

  private func begin(_ player: SpecifiedThread) {
    guard let client = player.client else { return }
    player.at += 1
    let name = CallName(client: client, position: player.at)
    let call = call(name)
    let future = future(call)
    log.append(["begin", name.shown, "none"])
    switch call.name {
    case "add":
      add(player, name, call)
    case "remove":
      returns(player, remove(CallName(client: 0, position: call.arguments[0].number), future) ? "yes" : "no")
    case "poll":
      returns(player, future.decidedOutcome.map { "\($0)" } ?? "none")
    case _ where call.isBlock:
      player.job = name
      let isDispatchedLikeHandlers = future.process { $0.performBegan() }
      player.position = isDispatchedLikeHandlers && call.name != "peekAndWait" ? .add : .enqueue
    default:
      decide(player, name, call)
    }
  }

  private func decide(_ player: SpecifiedThread, _ name: CallName, _ call: Call) {
    let resolution = call.resolution
    let effect = future(call).process { $0.decide(resolution, .arriving, on: .current) }
    if effect.decides { return perform(effect, player, call.future, then: .return, says: call.waits ? "yes" : "none") }
    switch effect {
    case .enqueue:
      player.job = name
      player.position = .enqueue
    default:
      returns(player, call.waits ? "no" : "none")
    }
  }

  /// Adds a handler, or a block that is dispatched like one.
  private func add(_ player: SpecifiedThread, _ name: CallName, _ call: Call) {
    if addFirst(name, call) { return returns(player) }
    let node = node(name, call)
    switch future(call).process({ $0.add(node) }) {
    case .keep:
      returns(player)
    case .drop, .open:  // None of them is a scope.
      // As if it were released with the node.
      _ = node.handler.take()
      returns(player)
    case .dispatch:
      player.node = node
      if !call.isInline { player.job = name }
      player.position = call.isInline ? .late : .enqueue
    }
  }

  private func remove(_ name: CallName, _ future: Future) -> Bool {
    let handler = nodes[name].map(HandlerID.node) ?? .first
    let mayRun = future.process { $0.mayRun(handler) }
    guard future.process({ $0.unregister(handler) }) != nil else { return false }
    removed.insert(name)
    return mayRun
  }

  private func continueCall(_ player: SpecifiedThread) {
    guard let client = player.client else { return }
    let name = player.job ?? CallName(client: client, position: player.at)
    let call = call(name)
    switch player.position {
    case .enqueue:
      queues[call.future - 1].append(Queued(call: name, handler: player.node.map(HandlerID.node)))
      if call.waits { player.position = .waiting } else { returns(player) }
    case .waiting:
      let says = answers[client - 1] ?? "none"
      answers[client - 1] = nil
      returns(player, says)
    case .add:
      player.job = nil
      add(player, name, call)
    default:
      guard let resolution = future(call).resolution, let node = player.node else { return }
      started.insert(name)
      future(call).dispatchLate(node, resolution)
      returns(player)
    }
  }

  /// Ends the call of a client.
  func returns(_ player: SpecifiedThread, _ says: String = "none") {
    guard let client = player.client else { return }
    log.append(["return", CallName(client: client, position: player.at).shown, .text(says)])
    player.rest()
  }

  // MARK: Queues

  private func takeTurn(_ player: SpecifiedThread, _ queue: Int) {
    let entry = queues[queue - 1].removeFirst()
    let future = futures[queue - 1]
    let call = call(entry.call)
    if let handler = entry.handler { run(handler, entry, future) }
    if call.name == "add" { return }
    player.job = entry.call
    if call.isBlock {
      player.position = .block
      log.append(["block begins", entry.call.shown, shownOutcome(future)])
      return
    }
    let resolution = call.resolution
    let effect = future.process { $0.decide(resolution, .dequeued, on: .current) }
    if effect.decides { return perform(effect, player, queue, then: .answer, says: "yes") }
    player.rest(at: .answer, says: "no")
  }

  /// Runs a handler as a batch by itself.
  private func run(_ handler: HandlerID, _ entry: Queued, _ future: Future) {
    guard let resolution = future.resolution else { return }
    var batch = FutureMachine.Batch(handler)
    // The whole batch was counted once.
    if !entry.isFirstOfBatch { future.process { $0.countDispatched() } }
    switch future.process({ $0.next(of: &batch, after: nil, on: .current) }) {
    case .run(let work, _):
      if !call(entry.call).isBlock { started.insert(entry.call) }
      work.run(resolution)
      _ = future.process { $0.next(of: &batch, after: handler, on: .current) }
    default: break
    }
  }

  private func runBlock(_ player: SpecifiedThread) {
    guard let queue = player.queue, let job = player.job else { return }
    let future = futures[queue - 1]
    let call = call(job)
    if !call.isLook, !player.hasDecided {
      player.hasDecided = true
      let resolution = call.resolution
      let effect = future.process { $0.decide(resolution, .inside, on: .current) }
      if effect.decides { return }
    }
    log.append(["block ends", job.shown, shownOutcome(future)])
    player.position = .end
  }

  private func endBlock(_ player: SpecifiedThread) {
    guard let queue = player.queue else { return }
    let effect = futures[queue - 1].process { $0.performEnded(on: .current) }
    if effect.decides { return perform(effect, player, queue, then: .answer, says: "none") }
    player.rest(at: .answer)
  }

  private func answer(_ player: SpecifiedThread) {
    if let job = player.job, job.client > 0, call(job).waits { answers[job.client - 1] = player.says }
    player.rest()
  }

  private func shownOutcome(_ future: Future) -> SpecifiedValue {
    .text(future.decidedOutcome.map { "\($0)" } ?? "none")
  }
}
