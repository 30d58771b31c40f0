// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// The end of a future that is dropped while it is pending: what it held is released piece by piece, not by recursion
// (law L10). No lock is held.

extension HandlerChain {
  /// Releases the handlers of a future that goes.
  consuming func dismantle() {
    while let node = next() { node.revoke() }
  }
}

extension Links {
  /// Takes apart the links of a future that goes, and whatever goes with it.
  func dismantle() {
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
