// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// The end of a future that is dropped while it is pending: what it held is released piece by piece, not by recursion
// (law L10). No lock is held.

extension Future {
  /// Releases what a pending future held that goes, and whatever goes with it.
  func dismantle() {
    var waiting = takeApart()
    while var future = waiting.popLast() {
      // If this is the last reference, the future's own end would come to this place again, one frame deeper for every
      // link or stage of a chain. So it is taken apart first. Should a weak reference bring it back at this moment, it
      // has lost at worst its handlers and links, as anything that was dropped has.
      guard isKnownUniquelyReferenced(&future), future.isPending else { continue }
      waiting += future.takeApart()
    }
  }

  /// Takes off handlers and links; returns the futures that they kept alive.
  private func takeApart() -> [Future] {
    let (handlers, links) = process { ($0.dismantleHandlers(), $0.dismantleLinks()) }
    return handlers.dismantle() + (links?.cutAll() ?? [])
  }
}

extension HandlerChain {
  /// Releases the handlers; returns the futures that stages kept alive.
  fileprivate consuming func dismantle() -> [Future] {
    var targets: [Future] = []
    while let node = next() {
      if case .stage(let stage) = node.revokedWork() { targets.append(stage.target) }
    }
    return targets
  }
}
