// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// A link to a future that was created from the source: a closure decides the effect of the source's completion.
///
/// - **S1** A stage is a link. It is in the list of its source's handlers at the place where it was registered, and is run
///   in its turn there. Its answer isn't carried out by the stage but by the engine that ran it, when that has nothing else
///   left to do. So a chain of 100,000 stages is resolved by a loop, and torn down by one. (L10)
/// - **S2** The closure runs at most once. The code that removes the stage from the target calls it (K3).
/// - **S3** A source that is released cancels its targets. That is in `Future.tearDown`. (L9)
/// - **S4** Nested closures don't exhaust the stack. `Trampoline` has the way. (L10)
///
/// `@unchecked Sendable` as `Link` is; `closure` belongs to the thread that has removed the stage from the target, and
/// to the target's lock until then (K3).
@safe
final class Stage: Link, @unchecked Sendable {
  /// The closure of a stage.
  ///
  /// Not a bare closure: see `Locked`.
  enum Answer: Sendable {
    /// Returns the resolution of the target; nil if it isn't resolved now.
    case resolution(@Sendable (Resolution, _ target: Future) -> Resolution?)
    /// Makes the box of the target's value from that of the source; every other resolution is passed on unchanged.
    case value(@Sendable (AnyValueBox) throws -> AnyValueBox)

    func callAsFunction(_ resolution: Resolution, _ target: Future) -> Resolution? {
      switch self {
      case .resolution(let answer):
        return answer(resolution, target)
      case .value(let transform):
        guard case .delivered(let box) = resolution else { return resolution }
        do {
          return .delivered(try transform(box))
        } catch {
          return .thrown(error)
        }
      }
    }
  }

  let context: HandlerPlace.Kind
  /// True if it has only code of this library, which isn't nested.
  private let isOwn: Bool
  /// User code may run in it, outside of all locks.
  private var closure: Answer?

  init(
    _ rule: Rule,
    backward: Backward,
    from source: Future,
    to target: Future,
    on context: HandlerPlace.Kind = .inline,
    isOwn: Bool = true,
    _ closure: consuming Answer
  ) {
    self.context = context
    self.isOwn = isOwn
    self.closure = closure
    super.init(rule, backward: backward, from: source, to: target, keeping: .target)
  }

  // Not inlined: the compiler retains an object around an end that it inlines.
  @inline(never) deinit {}

  /// The future that was created; it stays alive as long as it may be completed through this.
  var target: Future { kept }

  /// Returns true if it has an answer to an outcome of the source; at the other one the target follows as with any
  /// link.
  func answers(_ outcome: Future.Outcome) -> Bool {
    if case .answer = rule { true } else { outcome == .completed }
  }

  var runsInline: Bool {
    if case .inline = context { true } else { false }
  }

  /// Gets the answer, unless the target no longer needs it.
  func run(_ resolution: Resolution) -> Resolution? {
    isOwn ? answer(to: resolution) : Trampoline.run(self, resolution)
  }

  /// Gets the answer, on this thread and now.
  func answer(to resolution: Resolution) -> Resolution? {
    guard let closure = target.process({ $0.takeAnswer(of: self) }) else { return nil }
    return CurrentFuture.runOutside { closure(resolution, target) }
  }

  /// Takes the closure; for its owner.
  func takeClosure() -> Answer? { exchange(&closure, with: nil) }
}

extension Future {
  /// Decides another future by the answer of a user's closure to the completion of this one, and cancels this one when
  /// the other is cancelled.
  ///
  /// The stage is removed when the target is resolved otherwise.
  ///
  /// - Parameters:
  ///   - target: The future that is created from this one. It doesn't keep this one alive.
  ///   - context: The context in which the closure runs.
  ///   - answer: The closure.
  /// - Returns: The resolution of the target, if there was an answer at once: the caller, which may itself be a stage,
  ///   decides it so.
  func stage(to target: Future, on context: HandlerPlace.Kind, _ answer: consuming Stage.Answer) -> Resolution? {
    if Hooks.isOn(.context) { answer = Context.carried(answer) }
    let rule = Link.Rule.answerCompletion
    let stage = Stage(rule, backward: .cascade, from: self, to: target, on: context, isOwn: false, answer)
    return connect(stage, to: target)
  }

  /// The same for a closure of this library, inline; with the rule `.answer` for both outcomes.
  func stage(
    to target: Future,
    _ rule: Link.Rule = .answerCompletion,
    backward: Link.Backward = .cascade,
    _ answer: @escaping @Sendable (Resolution, _ target: Future) -> Resolution?
  ) -> Resolution? {
    connect(Stage(rule, backward: backward, from: self, to: target, .resolution(answer)), to: target)
  }
}

extension Context {
  /// Wraps the closure of a stage to run in the context of the running code.
  @inline(never)
  static func carried(_ answer: Stage.Answer) -> Stage.Answer {
    guard let scope = captured() else { return answer }
    return .resolution { resolution, target in
      var result: Resolution?
      run(in: scope) { result = answer(resolution, target) }
      return result
    }
  }
}
