// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// One step from a future to another that was made from it: what the completion of the first means for the second.
///
/// It stands in the first one's list of handlers, with a `Link` beside it that carries cancellations both ways. What it
/// answers isn't carried out by itself but by whoever ran it, when that has nothing else left to do. So a chain of
/// 100,000 stages is resolved by a loop, and taken apart by one (law L10).
final class Stage: Sendable {
  /// The future that was made; it stays alive as long as it may be completed through this.
  let target: Future
  /// Says how the target is to be resolved; nil: not now.
  ///
  /// User code runs in it, outside of all locks.
  private let answer: @Sendable (Resolution, _ target: Future) -> Resolution?

  init(to target: Future, _ answer: @escaping @Sendable (Resolution, _ target: Future) -> Resolution?) {
    self.target = target
    self.answer = answer
  }

  func run(_ resolution: Resolution) -> Errand? {
    // Nobody waits for the answer any more; the source may have handed the stage to a queue by then.
    guard target.isPending else { return nil }
    return answer(resolution, target).map { Errand(target: target, resolution: $0) }
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
  private var waiting: [Errand] = []
  private var next = 0

  init(isOnPrivateQueue: Bool = false) { self.isOnPrivateQueue = isOnPrivateQueue }

  mutating func append(_ errand: Errand) { waiting.append(errand) }

  mutating func popFirst() -> Errand? {
    // In a chain there is one at a time: moved out, and the room is used again.
    if next == 0, waiting.count == 1 { return waiting.removeLast() }
    guard next < waiting.count else { return nil }
    defer { next += 1 }
    let errand = waiting[next]
    if next + 1 == waiting.count {
      waiting.removeAll(keepingCapacity: true)
      next = -1
    }
    return errand
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
  ///   - backward: What the target's outcome asks of this future.
  ///   - answer: Says how the target is to be resolved; nil: not now.
  /// - Returns: What is to become of the target, if the answer was there at once: the caller sees to it, who may be a
  ///   stage itself.
  func stage(
    to target: Future,
    at trigger: Outcome? = .completed,
    on context: HandlerContext = .inline,
    backward: Link.Rule = .cascade,
    _ answer: @escaping @Sendable (Resolution, _ target: Future) -> Resolution?
  ) -> Errand? {
    let node = HandlerNode(trigger, context, role: .library, .stage(Stage(to: target, answer)))
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
    Link.connect(forward, backward: backward, from: self, to: target, keeping: .nothing, stage: node)
    return nil
  }
}
