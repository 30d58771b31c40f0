// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// An intrusive doubly linked list of handlers: adding and removing take constant time whatever its length.
struct HandlerList {
  private var first: HandlerNode?
  /// The last node: kept alive by the chain that begins at `first`.
  private unowned(unsafe) var last: HandlerNode?

  var isEmpty: Bool { first == nil }

  mutating func append(_ node: HandlerNode) {
    node.isListed = true
    if let last = unsafe last {
      last.next = node
      unsafe node.previous = last
    } else {
      first = node
    }
    unsafe last = node
  }

  /// Takes out a node that is in this list.
  ///
  /// The caller holds a reference to it.
  mutating func remove(_ node: HandlerNode) {
    node.isListed = false
    let next = node.next
    if let next { unsafe next.previous = node.previous } else { unsafe last = node.previous }
    if let previous = unsafe node.previous { previous.next = next } else { first = next }
    node.next = nil
    unsafe node.previous = nil
  }

  /// Takes out all nodes at once, in constant time.
  ///
  /// From now on they belong to the caller.
  mutating func takeAll() -> HandlerChain {
    let chain = HandlerChain(first)
    first = nil
    unsafe last = nil
    return chain
  }
}

/// Handlers that have left a future's list, in order of registration: they belong to the thread which holds the chain.
struct HandlerChain {
  private var first: HandlerNode?

  init(_ first: HandlerNode?) {
    self.first = first
  }

  var isEmpty: Bool { first == nil }

  /// Takes the first node off.
  ///
  /// Taken to its end the chain is released without recursion, however long it is (law L10).
  mutating func next() -> HandlerNode? {
    guard let node = first else { return nil }
    first = node.next
    node.next = nil
    return node
  }

  /// Takes off the handlers that can run in one block of the private queue together with `node`, up to the first one
  /// for another place.
  ///
  /// What doesn't match the outcome is dropped on the way.
  mutating func nextBatch(startingWith node: HandlerNode, matching outcome: Future.Outcome) -> HandlerChain {
    var last = node
    while let candidate = first, candidate.runsOnPrivateQueue || !candidate.matches(outcome) {
      first = candidate.next
      candidate.next = nil
      guard candidate.matches(outcome) else {
        candidate.revoke()
        continue
      }
      last.next = candidate
      last = candidate
    }
    return HandlerChain(node)
  }
}
