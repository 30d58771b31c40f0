// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// A decision that still has to be carried out on its future.
///
/// It comes by a link, so it is no call of a block of that future, whichever thread carries it out.
struct DeferredDecision: Sendable {
  let target: Future
  let resolution: Resolution

  func run() {
    target.decide(resolution, .arriving)
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

/// First in, first out; it keeps nothing of what has left it (law L7), and takes the space of the largest number that
/// was in it at once.
struct Queue<Element> {
  /// The elements that leave first, the very first one last.
  private var leaving: [Element] = []
  /// Those that came after them, in order.
  private var entering: [Element] = []

  var isEmpty: Bool { leaving.isEmpty && entering.isEmpty }

  mutating func append(_ element: Element) { entering.append(element) }

  mutating func popFirst() -> Element? {
    guard leaving.isEmpty else { return leaving.removeLast() }
    // In a chain there is one at a time, and the space is used again.
    if entering.count > 1 {
      swap(&leaving, &entering)
      leaving.reverse()
      return leaving.removeLast()
    }
    return entering.popLast()
  }
}
