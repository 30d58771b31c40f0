// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// Handlers that have left a future's list, in order of registration and behind those who wait for the outcome: they
/// belong to the thread which holds the chain.
struct HandlerChain: ~Copyable {
  /// The first handler if it has no node; it comes after the waiters and before all others.
  private var nodeless: NodelessHandler?
  private var first: HandlerNode?

  init(_ first: HandlerNode?, after nodeless: consuming NodelessHandler? = nil) {
    self.first = first
    self.nodeless = nodeless
  }

  /// Takes off the first handler if it has no node.
  mutating func takeNodeless() -> NodelessHandler? {
    nodeless.take()
  }

  /// Takes off the waiters at the beginning, in the order in which they came: the list has the last one first.
  mutating func takeWaiters() -> HandlerChain {
    var waiters: HandlerNode?
    while first?.role == .waiter, let waiter = next() {
      waiter.next = waiters
      waiters = waiter
    }
    return HandlerChain(waiters)
  }

  /// Takes the first node off.
  ///
  /// Taken to its end the chain is released without recursion, however long it is (law L10).
  mutating func next() -> HandlerNode? {
    guard let node = first else { return nil }
    first = node.next
    node.next = nil
    return node
  }

  /// Whether there are no more nodes.
  var isEmpty: Bool { first == nil }

  /// Whether the first handler has no node.
  var hasNodeless: Bool { nodeless != nil }

  /// Whether any of them decides another future.
  var hasStages: Bool {
    var isFound = false
    forEach { if $0.isStage { isFound = true } }
    return isFound
  }

  func forEach(_ body: (HandlerNode) -> Void) {
    var node = first
    while let current = node {
      body(current)
      node = current.next
    }
  }

  /// Takes off the handlers that can run in one block of the private queue together with `node`, up to the first one
  /// for another place, and appends them to it.
  ///
  /// What doesn't match the outcome is dropped on the way.
  mutating func takeBatch(after node: HandlerNode, matching outcome: Future.Outcome) {
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
  }
}
