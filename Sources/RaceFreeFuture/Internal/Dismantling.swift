// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// The end of a future that is dropped while it is pending: what it held is released piece by piece, not by recursion
// (law L10), and futures that were made from it learn that nothing will come (law L9). No lock is held.

extension Future {
  /// Releases what a pending future held that goes.
  func dismantle() {
    var errands = Errands()
    var handlers = process { $0.dismantleHandlers() }
    while let node = handlers.next() {
      if let errand = node.abandon(throwing: AbandonedError(self)) { errands.append(errand) }
    }
    process { $0.dismantleLinks() }?.dismantle()
    errands.run()
  }
}

extension HandlerNode {
  /// Releases a handler of a future that goes; returns what is to become of the future that a stage worked for.
  fileprivate func abandon(throwing error: @autoclosure () -> AbandonedError) -> Errand? {
    guard case .stage(let stage) = revokedWork() else { return nil }
    let resolution = Resolution.cancelled(error())
    return trigger == nil ? stage.run(resolution) : Errand(target: stage.target, resolution: resolution)
  }
}

extension Links {
  /// Takes apart the links of a future that goes, and whatever goes with it.
  fileprivate func dismantle() {
    var waiting = cutAll()
    while var future = waiting.popLast() {
      // If this is the last reference, the future's own end would come to this place again, one frame deeper for every
      // link of a chain. So its links are taken first. Should a weak reference bring it back at this moment, it is at
      // worst unlinked, as anything that was dropped is.
      guard isKnownUniquelyReferenced(&future) else { continue }
      waiting += future.process { $0.dismantleLinks() }?.cutAll() ?? []
    }
  }
}
