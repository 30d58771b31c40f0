// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// A decision that somebody has to carry to its future.
struct DeferredDecision: Sendable {
  let target: Future
  let resolution: Resolution

  func run() {
    target.decide(resolution)
  }
}

/// Decisions that came up while others were carried out, first in, first out.
struct DecisionQueue {
  /// Whether the thread that runs them has the private queue of a future among those that it came by (law L6).
  var isOnPrivateQueue: Bool
  private var waiting = Queue<DeferredDecision>()

  init(isOnPrivateQueue: Bool = false) { self.isOnPrivateQueue = isOnPrivateQueue }

  var isEmpty: Bool { waiting.isEmpty }

  mutating func append(_ decision: DeferredDecision) { waiting.append(decision) }

  mutating func popFirst() -> DeferredDecision? { waiting.popFirst() }
}

/// First in, first out.
struct Queue<Element> {
  private var elements: [Element] = []
  private var next = 0

  var isEmpty: Bool { elements.isEmpty }

  mutating func append(_ element: Element) { elements.append(element) }

  mutating func popFirst() -> Element? {
    // In a chain there is one at a time: moved out, and the room is used again.
    if next == 0, elements.count == 1 { return elements.removeLast() }
    guard next < elements.count else { return nil }
    defer { next += 1 }
    let element = elements[next]
    if next + 1 == elements.count {
      elements.removeAll(keepingCapacity: true)
      next = -1
    }
    return element
  }
}
