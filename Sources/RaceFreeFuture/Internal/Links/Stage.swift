// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// A link to a future that was made from the source: what the completion of the first means for the second is found by a
/// closure.
///
/// It stands among the source's handlers and is run in its turn there. What it answers isn't carried out by itself but
/// by whoever ran it, when that has nothing else left to do. So a chain of 100,000 stages is resolved by a loop, and
/// taken apart by one (law L10).
///
/// `@unchecked Sendable` as `Link` is; `closure` belongs to whoever has taken the stage off the target, and to the
/// target's lock until then (K3).
@safe
final class Stage: Link, @unchecked Sendable {
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

  let context: HandlerPlace.Kind
  private let kind: Kind
  /// User code may run in it, outside of all locks.
  private var closure: Answer?

  init(
    _ rule: Rule,
    backward: Backward,
    from source: Future,
    to target: Future,
    on context: HandlerPlace.Kind,
    need: Need,
    _ kind: Kind,
    _ closure: @escaping Answer
  ) {
    self.context = context
    self.kind = kind
    self.closure = closure
    super.init(rule, backward: backward, from: source, to: target, keeping: .target, need: need)
  }

  /// The future that was made; it stays alive as long as it may be completed through this.
  var target: Future { kept }

  /// Whether it has an answer to an outcome of the source; to the other one the target follows as with any link.
  func answers(_ outcome: Future.Outcome) -> Bool {
    if case .answer = rule { true } else { outcome == .completed }
  }

  var runsInline: Bool {
    if case .inline = context { true } else { false }
  }

  /// Whether it may be run later than its turn, elsewhere on the stack of the same thread.
  var isDeferrable: Bool { kind == .closure }

  /// Asks for the answer, unless the target doesn't need it any more.
  func run(_ resolution: Resolution) -> DeferredDecision? {
    kind == .own ? answer(to: resolution) : WorkFrame.run(self, resolution)
  }

  /// Asks for the answer, on this thread and now.
  func answer(to resolution: Resolution) -> DeferredDecision? {
    guard let closure = target.process({ $0.takeAnswer(of: self) }) else { return nil }
    return closure(resolution, target).map { DeferredDecision(target: target, resolution: $0) }
  }

  /// Takes the closure out; for its owner.
  func takeClosure() -> Answer? {
    let taken = closure
    closure = nil
    return taken
  }
}

extension Future {
  /// Lets an outcome of this future decide another one, and a cancellation of the other one cancel this.
  ///
  /// The stage is taken back when the target is resolved in another way.
  ///
  /// - Parameters:
  ///   - target: The future that is made from this one. It doesn't keep this one alive.
  ///   - rule: `.answerCompletion`, or `.answer` for both outcomes.
  ///   - context: Where the answer is found.
  ///   - kind: What runs in it.
  ///   - backward: What the target's outcome asks of this future.
  ///   - need: How the target needs this future.
  ///   - answer: Says how the target is to be resolved; nil: not now.
  /// - Returns: What is to become of the target, if the answer was there at once: the caller sees to it, who may be a
  ///   stage itself.
  func stage(
    to target: Future,
    _ rule: Link.Rule = .answerCompletion,
    on context: HandlerPlace.Kind = .inline,
    _ kind: Stage.Kind = .own,
    backward: Link.Backward = .cascade,
    need: Link.Need = .any,
    _ answer: @escaping Stage.Answer
  ) -> DeferredDecision? {
    let answer = kind != .own && Context.isOn ? Context.carried(answer) : answer
    let stage = Stage(rule, backward: backward, from: self, to: target, on: context, need: need, kind, answer)
    return connect(stage, to: target)
  }
}
