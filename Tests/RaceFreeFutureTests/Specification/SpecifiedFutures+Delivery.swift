// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

@testable import RaceFreeFuture

// The steps of walks and deliveries, in the order of `TreeWalk.run` and `Delivery.deliver`.

extension SpecifiedFutures {
  func carryOut(
    _ release: consuming FutureMachine.Release,
    _ player: SpecifiedThread,
    _ future: Int,
    then: SpecifiedThread.Position,
    says: String
  ) {
    player.begin(at: future, then: then, says: says)
    switch consume release {
    case .mark:
      player.position = .mark
    case .deliver(let remains):
      take(remains, player)
    case .finish(let sources):
      player.reports = false
      takeSources(sources, player)
    }
  }

  private func take(_ remains: consuming FutureMachine.Remains, _ player: SpecifiedThread) {
    var remains = remains
    if let slot = remains.handlers.takeSlot() {
      if let name = slots[player.owner] { slotClaims[name] = slot.runs ? "started" : "dropped" }
      player.slot = consume slot
    }
    player.entries = remains.handlers.all
    takeSources(remains.sources, player)
  }

  private func takeSources(_ sources: SourceList, _ player: SpecifiedThread) {
    var sources = sources
    player.sources = []
    while let link = sources.popFirst() { player.sources.append(link) }
    player.position = player.sources.isEmpty ? .dispatchAll : .cut
  }

  // MARK: Walking

  /// Asks for the next neighbour; without one, the next future that was found is to be asked.
  func ask(_ player: SpecifiedThread) {
    let owner = futures[player.owner - 1]
    let except = player.index == 0 ? nil : player.found[player.index - 1].link
    var neighbour: FutureMachine.Neighbour?
    repeat {
      neighbour = owner.process { $0.nextNeighbour(&player.cursor) }
    } while neighbour != nil && neighbour?.link === except
    if let neighbour {
      player.last = neighbour
      player.position = .tell
      return
    }
    player.last = nil
    player.cursor = FutureMachine.Cursor()
    let later = player.found.indices.dropFirst(player.index).first { player.found[$0].hasNeighbours }
    if let later { player.index = later + 1 } else { (player.index, player.position) = (0, .marked) }
  }

  func follow(_ player: SpecifiedThread) {
    guard let neighbour = player.last, let resolution = futures[player.owner - 1].resolution,
      let number = futures.firstIndex(where: { $0 === neighbour.future }).map({ $0 + 1 })
    else { return }
    player.position = .mark
    switch neighbour.future.process({ $0.follow(neighbour.link, from: neighbour.end, resolution) }) {
    case .ignore:
      break
    case .enqueue:
      player.position = .enqueueNeighbour
    case .finish:
      break
    case .mark(_, let hasNeighbours, _):
      player.found.append(.init(future: number, isMine: true, hasNeighbours: hasNeighbours, link: neighbour.link))
    case .join:
      guard !player.found.contains(where: { $0.future == number && !$0.isMine }) else { return }
      player.found.append(.init(future: number, isMine: false, hasNeighbours: true, link: neighbour.link))
    }
  }

  func enqueueNeighbour(_ player: SpecifiedThread) {
    guard let neighbour = player.last, let outcome = futures[player.owner - 1].decidedOutcome,
      let index = futures.firstIndex(where: { $0 === neighbour.future })
    else { return }
    queues[index].append(Queued(call: CallName(client: -1, position: outcome == .cancelled ? 1 : 2)))
    player.position = .mark
  }

  func marked(_ player: SpecifiedThread) {
    take(futures[player.owner - 1].process { $0.marked(on: .current) }, player)
  }

  // MARK: Delivering

  /// Cuts a single link.
  func cut(_ player: SpecifiedThread) {
    var link = SourceList()
    link.prepend(player.sources.removeFirst())
    futures[player.owner - 1].cut(link)
    if player.sources.isEmpty { player.position = .dispatchAll }
  }

  /// Dispatches the first entry of the chain, or reports that there is none.
  func dispatchAll(_ player: SpecifiedThread) {
    let future = futures[player.owner - 1]
    guard let resolution = future.resolution else { return }
    if let slot = player.slot.take() {
      slot.run()
      if !player.entries.isEmpty { future.process { _ = $0.handlers.slotReturned() } }
      return
    }
    if player.entries.isEmpty { return delivered(player, future, resolution) }
    let entry = player.entries.removeFirst()
    if let link = entry.link {
      var decisions = DecisionQueue()
      future.pass(link, resolution, &decisions, &player.report)
      return
    }
    guard let node = entry.handler else { return }
    if !node.matches(resolution.outcome) {
      node.revoke()
    } else if node.runsInline {
      node.run(resolution)
    } else {
      var chain = SpecifiedFutures.chain(of: player.entries)
      dispatch(node, before: &chain, player.owner, resolution, &player.report)
      player.entries = chain.all
    }
  }

  /// Appends a batch to the queue.
  private func dispatch(
    _ node: HandlerNode,
    before chain: inout HandlerChain,
    _ owner: Int,
    _ resolution: Resolution,
    _ report: inout FutureMachine.Report
  ) {
    report.dispatchedCount += 1
    chain.takeBatch(after: node, matching: resolution.outcome)
    var batch = HandlerChain(node)
    let nodes = batch.all.compactMap(\.handler)
    for (index, node) in nodes.enumerated() {
      queues[owner - 1].append(
        Queued(call: CallName(name(node)), node: node, isLastOfBatch: index == nodes.count - 1)
      )
    }
  }

  private static func chain(of entries: [ListEntry]) -> HandlerChain {
    for (entry, next) in zip(entries, entries.dropFirst()) { entry.next = next }
    return HandlerChain(entries.first)
  }

  private func delivered(_ player: SpecifiedThread, _ future: Future, _ resolution: Resolution) {
    if player.reports {
      future.process { machine in
        var isDelivered = false
        while !isDelivered {
          switch machine.delivered(&player.report) {
          case .deliverLate:
            var chain = machine.takeLate()
            while let node = chain.next()?.handler {
              dispatch(node, before: &chain, player.owner, resolution, &player.report)
            }
          default:
            isDelivered = true
          }
        }
      }
    }
    let next = player.found.indices.dropFirst(player.index).first { player.found[$0].isMine }
    if let next {
      player.index = next + 1
      player.position = .marked
    } else if player.then == .return {
      returns(player, player.says)
    } else {
      player.rest(at: player.then, says: player.says)
    }
  }
}
