// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// One step from a future to another that was made from it: what the completion of the first means for the second.
///
/// It stands in the first one's list of handlers, with a `Link` beside it that carries cancellations both ways. What it
/// answers isn't carried out by itself but by whoever ran it, when that has nothing else left to do. So a chain of
/// 100,000 stages is resolved by a loop, and taken apart by one (law L10).
final class Stage: Sendable {
  /// Says how the target is to be resolved; nil: not now.
  typealias Answer = @Sendable (Resolution, _ target: Future) -> Resolution?

  /// What runs in a stage, which decides whether it may be nested without end.
  enum Kind {
    /// Nothing but this library's code.
    case own
    /// A closure of the user's, on whichever thread it may be.
    case closure
    /// A closure of the user's, on the queue that was given for it.
    case closureOnQueue
  }

  /// The future that was made; it stays alive as long as it may be completed through this.
  let target: Future
  private let kind: Kind
  /// User code may run in it, outside of all locks.
  private let answer: Answer

  init(to target: Future, _ kind: Kind, _ answer: @escaping Answer) {
    self.target = target
    self.kind = kind
    self.answer = answer
  }

  /// Whether it may be run later than its turn, elsewhere on the stack of the same thread.
  var isDeferrable: Bool { kind == .closure }

  func run(_ resolution: Resolution) -> Errand? {
    // Nobody waits for the answer any more; the source may have handed the stage to a queue by then.
    guard target.isPending else { return nil }
    return kind == .own ? answer(to: resolution) : WorkFrame.run(self, resolution)
  }

  /// Asks for the answer, on this thread and now.
  func answer(to resolution: Resolution) -> Errand? {
    answer(resolution, target).map { Errand(target: target, resolution: $0) }
  }
}

extension Stage {
  /// What is to become of the target when the source has gone unresolved.
  func abandon(_ resolution: Resolution, at trigger: Future.Outcome?) -> Errand? {
    trigger == nil ? run(resolution) : Errand(target: target, resolution: resolution)
  }
}

/// A decision that somebody has to carry to its future.
struct Errand: Sendable {
  let target: Future
  let resolution: Resolution
}

/// Decisions that came up while others were carried out, first in, first out.
struct Errands {
  /// Whether the thread that runs them has the private queue of a future among those that it came by (law L6).
  var isOnPrivateQueue: Bool
  private var waiting = Queue<Errand>()

  init(isOnPrivateQueue: Bool = false) { self.isOnPrivateQueue = isOnPrivateQueue }

  mutating func append(_ errand: Errand) { waiting.append(errand) }

  mutating func popFirst() -> Errand? { waiting.popFirst() }
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

extension Future {
  /// Lets an outcome of this future decide another one, and a cancellation of the other one cancel this.
  ///
  /// The stage is taken back when the target is resolved in another way.
  ///
  /// - Parameters:
  ///   - target: The future that is made from this one. It doesn't keep this one alive.
  ///   - trigger: `.completed`: a cancellation of this one cancels the target as links do. Nil: the stage gets both
  ///     outcomes.
  ///   - context: Where the answer is found.
  ///   - kind: What runs in it.
  ///   - backward: What the target's outcome asks of this future.
  ///   - need: How the target needs this future.
  ///   - answer: Says how the target is to be resolved; nil: not now.
  /// - Returns: What is to become of the target, if the answer was there at once: the caller sees to it, who may be a
  ///   stage itself.
  func stage(
    to target: Future,
    at trigger: Outcome? = .completed,
    on context: HandlerContext = .inline,
    _ kind: Stage.Kind = .own,
    backward: Link.Rule = .cascade,
    need: Link.Need = .any,
    _ answer: @escaping Stage.Answer
  ) -> Errand? {
    let node = HandlerNode(trigger, context, role: .library, .stage(Stage(to: target, kind, answer)))
    // Registered first, so that it is there to be taken back when the link is cut.
    switch process({ $0.add(node) }) {
    case .dispatch(let resolution):
      return dispatchLate(node, resolution)
    case .drop:
      node.revoke()
    case .keep:
      break
    }
    let forward: Link.Rule? = trigger == nil ? nil : .cascade
    Link.connect(forward, backward: backward, from: self, to: target, keeping: .nothing, need: need, stage: node)
    return nil
  }
}
