// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// The ways to a decision: an event of the machine, and an engine that performs its effect.

extension Future {
  /// Completes or cancels, in place or queued.
  ///
  /// On the thread that has the turn it is a call of the running block: it decides in place, and the handlers follow
  /// when the block has returned.
  ///
  /// - Returns: True if this call decided the outcome; false if not, or if the decision was queued.
  @discardableResult
  func decide(_ resolution: Resolution) -> Bool { decide(resolution, turnOfCaller) }

  /// Completes or cancels, from the given turn.
  @discardableResult
  func decide(_ resolution: Resolution, _ turn: FutureMachine.Turn) -> Bool {
    let effect = opened(at: resolution.outcome) { $0.decide(resolution, turn, on: .current) }
    if case .failed = resolution, Hooks.isOn(.observer) { Observation.reportLoss(of: resolution, at: self, effect) }
    return perform(effect)
  }

  /// Performs an effect; true if the event has decided this future.
  @inline(__always)
  private func perform(_ effect: consuming FutureMachine.Effect) -> Bool {
    let decides = effect.decides
    Engine.perform(effect, of: self)
    return decides
  }

  /// Completes or cancels by the answer of a stage, if there is one.
  ///
  /// A decision that arrives by a link never has the turn, even on the thread that runs the block.
  func decide(byLink answer: Resolution?) { if let answer { decide(answer, .arriving) } }

  /// Completes or cancels, and waits for its turn if it has to be queued.
  func decideAndWait(_ resolution: Resolution) -> Bool {
    let turn = turnOfCaller
    switch opened(at: resolution.outcome, { $0.decide(resolution, turn, on: .current) }) {
    case .enqueue:
      var isDecided = false
      enqueueAndWait {
        isDecided = perform(opened(at: resolution.outcome) { $0.decide(resolution, .dequeued, on: .current) })
      }
      return isDecided
    case let effect:
      return perform(effect)
    }
  }

  private var turnOfCaller: FutureMachine.Turn { holdsTurn ? .inside : .arriving }

  /// Sends an event that may decide the future with the outcome.
  ///
  /// A nested scope for whose handlers that begins opens itself before, in the scope around it (O1).
  @inline(__always)
  func opened<Effect: ~Copyable>(
    at outcome: Outcome,
    _ event: (inout FutureMachine) -> sending Effect
  ) -> sending Effect {
    if let effect = process({ $0.hasToOpen(at: outcome) ? nil : event(&$0) }) { return effect }
    // Until then; if it is decided, its delivery closes it.
    keepOpen()
    defer { letGo() }
    return process(event)
  }

  /// Ends a `perform` block.
  ///
  /// `resume` resumes the task that waits for it: before handlers start.
  func endPerform(resume: (@Sendable () -> Void)? = nil) {
    let effect = process { $0.performEnded(on: .current) }
    if let resume { Resumption.perform(resume) }
    Engine.perform(effect, of: self)
  }

  // MARK: Linking

  /// Links this future, as the source, to a target.
  ///
  /// If either is already resolved the other one follows at once, and no link remains (K4).
  ///
  /// - Returns: The answer for the target, if the link is a stage with an answer at once.
  @discardableResult
  func connect(_ link: Link, to target: Future) -> Resolution? {
    guard self !== target, !isUnresolvable, !target.isUnresolvable else { return nil }
    guard target.process({ $0.addSource(link) }) else {
      if let resolution = target.resolution, link.concerns(resolution.outcome, at: .target) {
        Engine.arrive(resolution.passedOn(by: target), along: link, from: .target)
      }
      return nil
    }
    // The target may have been resolved since it was asked: then it has detached the link, which isn't added here.
    guard case .dispatch(let resolution) = process({ $0.add(link) }) else { return nil }
    if let stage = link.stage, stage.answers(resolution.outcome) { return dispatchLate(stage, resolution) }
    Engine.arrive(resolution.passedOn(by: self), along: link, from: .source)
    target.process { $0.ignore(link) }
    return nil
  }
}
