// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// A decision that still has to be carried out on its future.
struct DeferredDecision: Sendable {
  let target: Future
  let resolution: Resolution

  func run() {
    target.decide(resolution)
  }
}

/// Decisions that arose while others were carried out, first in, first out.
struct DecisionQueue {
  private var waiting = Queue<DeferredDecision>()

  var isEmpty: Bool { waiting.isEmpty }

  mutating func append(_ decision: DeferredDecision) { waiting.append(decision) }

  /// Carries out all decisions, and those that arise meanwhile; outside of every lock.
  @inline(__always)
  mutating func run() {
    if !waiting.isEmpty { runAll() }
  }

  private mutating func runAll() {
    while let decision = waiting.popFirst() {
      let (target, resolution) = (decision.target, decision.resolution)
      let decision = target.process { $0.decide(resolution, .arriving, on: .current) }
      if Observation.isOn { Observation.reportLoss(of: resolution, at: target, decision) }
      target.carryOut(decision, resolution, &self)
    }
  }
}

/// First in, first out.
struct Queue<Element> {
  private var elements: [Element] = []
  private var next = 0

  var isEmpty: Bool { elements.isEmpty }

  mutating func append(_ element: Element) { elements.append(element) }

  mutating func popFirst() -> Element? {
    // In a chain there is one at a time: it is moved out, and the space is used again.
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
