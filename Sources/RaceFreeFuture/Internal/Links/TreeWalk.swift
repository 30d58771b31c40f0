// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// A walk that notifies all futures linked to a resolved one, at any depth, before any of their handlers starts (law
/// L11).
///
/// First `markAll`: a work list instead of recursion, one future locked at a time; each that follows is asked for its
/// neighbours one by one. Then waits for the end of futures without handlers are over. Then `deliverAll`: the waiters
/// of all the others are woken, then the handlers are dispatched, the root's first.
///
/// Two threads may walk overlapping trees. Each future is decided by one of them, and delivered by that one. If a walk
/// meets a future that the other has decided, it also follows that future's links as long as the other isn't known to
/// have notified them all; so when a walk starts to deliver, everything below its root is marked, by either.
struct TreeWalk {
  private struct Found {
    let future: Future
    let resolution: Resolution
    let hasNeighbours: Bool
    let hasWaiters: Bool
    /// True if this walk has decided it, and delivers it.
    let isMine: Bool
    /// The link by which it was found: at the other end is a future that this walk knows.
    let link: Link?
  }

  private var found: [Found] = []
  private var joined: Set<ObjectIdentifier> = []
  /// The futures without handlers for whose end somebody may wait.
  private var finished: [Future] = []

  /// Notifies all, then delivers, beginning with a future that has just been resolved.
  ///
  /// Decisions requested by the handlers are left to the caller.
  static func run(
    from root: Future,
    _ resolution: Resolution,
    hasNeighbours: Bool,
    hasWaiters: Bool,
    _ decisions: inout DecisionQueue
  ) {
    var walk = TreeWalk()
    if hasNeighbours { walk.markAll(from: root, resolution) }
    for future in walk.finished { future.settle() }
    // Most outcomes reach no other future.
    guard !walk.found.isEmpty else { return root.deliverMarked(resolution, &decisions) }
    walk.deliverAll(from: root, resolution, hasWaiters, &decisions)
  }

  private mutating func markAll(from root: Future, _ resolution: Resolution) {
    notifyNeighbours(of: root, resolution, exceptBy: nil)
    var index = 0
    while index < found.count {
      let entry = found[index]
      index += 1
      if entry.hasNeighbours { notifyNeighbours(of: entry.future, entry.resolution, exceptBy: entry.link) }
    }
  }

  private mutating func notifyNeighbours(of owner: Future, _ resolution: Resolution, exceptBy link: Link?) {
    // The same for all that follow, and created for the first one: most have no followers.
    var passedOn: Resolution?
    var cursor = FutureMachine.Cursor()
    var next = owner.process { $0.nextNeighbour(&cursor) }
    while let neighbour = next {
      defer { next = owner.process { $0.nextNeighbour(&cursor) } }
      if neighbour.link === link { continue }
      let arriving = passedOn ?? resolution.passedOn(by: owner)
      passedOn = arriving
      let future = neighbour.future
      switch future.process({ $0.follow(neighbour.link, from: neighbour.end, arriving) }) {
      case .ignore:
        break
      case .enqueue(let resolution):
        future.enqueueDecision(resolution)
      case .finish(let resolution):
        if Observation.isOn { Observation.reportOutcome(of: future, resolution) }
        if OpenWork.mayHaveDrains, future.openWork != nil { finished.append(future) }
      case .mark(let resolution, let hasNeighbours, let hasWaiters):
        found.append(
          Found(
            future: future,
            resolution: resolution,
            hasNeighbours: hasNeighbours,
            hasWaiters: hasWaiters,
            isMine: true,
            link: neighbour.link
          )
        )
      case .join(let resolution):
        if joined.insert(ObjectIdentifier(future)).inserted {
          found.append(
            Found(
              future: future,
              resolution: resolution,
              hasNeighbours: true,
              hasWaiters: false,
              isMine: false,
              link: neighbour.link
            )
          )
        }
      }
    }
  }

  private func deliverAll(
    from root: Future,
    _ resolution: Resolution,
    _ hasWaiters: Bool,
    _ decisions: inout DecisionQueue
  ) {
    if hasWaiters { root.wakeWaiters(resolution) }
    for entry in found where entry.hasWaiters { entry.future.wakeWaiters(entry.resolution) }
    root.deliverMarked(resolution, &decisions)
    for entry in found where entry.isMine { entry.future.deliverMarked(entry.resolution, &decisions) }
  }
}
