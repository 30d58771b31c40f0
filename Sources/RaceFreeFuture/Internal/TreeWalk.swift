// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// Tells all futures that are linked to a resolved one, at any depth, before any of their handlers starts (law L11).
///
/// First `markAll`: a work list instead of recursion, one future locked at a time; each future that follows hands over
/// its links. Then `deliverAll`: those who wait for any of them are woken, then come the handlers, the source's first.
///
/// Two threads may walk overlapping trees. Each future is decided by one of them, and delivered by that one. If a walk
/// meets a future which the other has decided, it goes through that future's links as well as long as the other isn't
/// known to have told them all; so when a walk starts to deliver, everything below its root is marked, by whomever.
struct TreeWalk {
  private struct Marked {
    let future: Future
    let resolution: Resolution
    let links: Links?
    let hasWaiters: Bool
  }

  private var marked: [Marked]
  /// Links that have not been followed yet, and have been by index, with the future whose they are.
  private var front: [(links: Links, resolution: Resolution, owner: Future)]
  private var joined: Set<ObjectIdentifier> = []

  /// Tells all, then delivers, beginning with a future that has just been resolved.
  ///
  /// Decisions that the handlers ask for are left to the caller.
  static func run(from root: Future, _ links: Links?, _ resolution: Resolution, _ errands: inout Errands) {
    // Most completions mean nothing to any other future: no walk, and no lists for it.
    guard let links, links.concern(resolution.outcome) else {
      links?.cutAll()
      return root.deliver(root.process { $0.marked() }, resolution, &errands)
    }
    var walk = TreeWalk(root, links, resolution)
    walk.markAll()
    walk.deliverAll(&errands)
  }

  private init(_ root: Future, _ links: Links, _ resolution: Resolution) {
    marked = [Marked(future: root, resolution: resolution, links: links, hasWaiters: true)]
    front = [(links, resolution, root)]
  }

  private mutating func markAll() {
    var index = 0
    while index < front.count {
      let (links, resolution, owner) = front[index]
      index += 1
      // The same for all who follow, and made when the first does: most have nobody behind them.
      var handedOn: Resolution?
      links.hooks.forEach { hook in
        guard hook.concerns(resolution.outcome), let follower = hook.follower else { return }
        let arriving = handedOn ?? resolution.handedOn(by: owner)
        handedOn = arriving
        switch follower.process({ $0.follow(hook, arriving) }) {
        case .ignore:
          break
        case .joinLine(let resolution):
          follower.enqueueDecision(resolution)
        case .mark(let links, let resolution, let hasWaiters):
          marked.append(Marked(future: follower, resolution: resolution, links: links, hasWaiters: hasWaiters))
          if let links { front.append((links, resolution, follower)) }
        case .join(let links, let resolution):
          if joined.insert(ObjectIdentifier(links)).inserted { front.append((links, resolution, follower)) }
        }
      }
    }
  }

  private mutating func deliverAll(_ errands: inout Errands) {
    front = []
    if marked[0].future.holdsTurn { errands.isOnPrivateQueue = true }
    for entry in marked where entry.hasWaiters {
      entry.future.wakeWaiters(entry.resolution, hop: errands.isOnPrivateQueue)
    }
    // Released one by one and after the last lock: a future that only its links kept alive goes here.
    for entry in marked {
      entry.links?.cutAll()
    }
    for entry in marked {
      entry.future.deliver(entry.future.process { $0.marked() }, entry.resolution, &errands)
    }
  }
}
