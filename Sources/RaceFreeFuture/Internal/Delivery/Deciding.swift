// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// Sends decisions to `FutureMachine`, and carries out its answers. All of this runs outside of every lock.

extension Future {
  /// Completes or cancels, in place or queued.
  ///
  /// On the thread that has the turn it is a call of the running block: it decides in place, and the handlers follow
  /// when the block has returned.
  ///
  /// - Returns: True if this call decided the outcome; false if not, or if the decision was queued.
  @discardableResult
  func decide(_ resolution: Resolution) -> Bool {
    decide(resolution, turnOfCaller)
  }

  /// Completes or cancels, from the given turn.
  @discardableResult
  func decide(_ resolution: Resolution, _ turn: FutureMachine.Turn) -> Bool {
    let decision = process { $0.decide(resolution, turn, on: .current) }
    if Observation.isOn { Observation.reportLoss(of: resolution, at: self, decision) }
    return carryOut(decision, resolution)
  }

  /// Completes or cancels, and waits for its turn if it has to be queued.
  func decideAndWait(_ resolution: Resolution) -> Bool {
    let turn = turnOfCaller
    switch process({ $0.decide(resolution, turn, on: .current) }) {
    case .enqueue:
      var isDecided = false
      enqueueAndWait { isDecided = carryOut(process { $0.decide(resolution, .dequeued, on: .current) }, resolution) }
      return isDecided
    case let decision:
      return carryOut(decision, resolution)
    }
  }

  private var turnOfCaller: FutureMachine.Turn { holdsTurn ? .inside : .arriving }

  /// Ends a `perform` block.
  ///
  /// `resume` resumes the task that waits for it: before handlers start.
  func endPerform(resume: (@Sendable () -> Void)? = nil) {
    let release = process { $0.performEnded(on: .current) }
    if let resume { Resumption.perform(resume) }
    guard let release = release, let resolution else { return }
    var decisions = DecisionQueue()
    carryOut(release, resolution, &decisions)
    decisions.run()
  }

  /// Cancels because a deadline has come, unless it was moved or unregistered.
  func deadlineCame(_ timer: DeadlineTimer) {
    let (name, now) = (name, presentInstant)
    switch process({ $0.deadlineCame(timer, now, label: name, on: .current) }) {
    case .ignore:
      break
    case .setAnew:
      setAnew(timer)
    case .decided(let decision, let resolution, let first):
      first.stop()
      carryOut(decision, resolution)
    }
  }

  /// Carries out a link to this future after the future at the given end has been resolved.
  func follow(_ link: Link, from end: Link.End, _ arriving: Resolution) {
    carryOut(process { $0.follow(link, from: end, arriving) })
  }

  /// Carries out the release of a future that was to decide this one.
  func abandon(_ link: Link, _ resolution: Resolution) {
    carryOut(process { $0.abandon(link, resolution) })
  }

  private func carryOut(_ following: FutureMachine.Following) {
    switch following {
    case .ignore, .join:
      break
    case .enqueue(let resolution):
      enqueueDecision(resolution)
    case .finish(let resolution):
      if Observation.isOn { Observation.reportOutcome(of: self, resolution) }
      settle()
    case .mark(let resolution, let hasNeighbours, let hasWaiters):
      var decisions = DecisionQueue()
      TreeWalk.run(from: self, resolution, hasNeighbours: hasNeighbours, hasWaiters: hasWaiters, &decisions)
      decisions.run()
    }
  }

  /// Carries out a decision, and all further ones that arise.
  @discardableResult
  private func carryOut(_ decision: consuming FutureMachine.Decision, _ resolution: Resolution) -> Bool {
    var decisions = DecisionQueue()
    let isDecided = carryOut(decision, resolution, &decisions)
    decisions.run()
    return isDecided
  }

  @discardableResult
  func carryOut(
    _ decision: consuming FutureMachine.Decision,
    _ resolution: Resolution,
    _ decisions: inout DecisionQueue
  ) -> Bool {
    switch consume decision {
    case .ignore:
      return false
    case .enqueue:
      enqueueDecision(resolution)
      return false
    case .hold:
      return true
    case .release(let release):
      carryOut(release, resolution, &decisions)
      return true
    }
  }

  private func carryOut(
    _ release: consuming FutureMachine.Release,
    _ resolution: Resolution,
    _ decisions: inout DecisionQueue
  ) {
    switch consume release {
    case .mark(let hasWaiters):
      TreeWalk.run(from: self, resolution, hasNeighbours: true, hasWaiters: hasWaiters, &decisions)
    case .deliver(let remains):
      deliver(remains, resolution, &decisions)
    case .finish(let sources):
      if Observation.isOn { Observation.reportOutcome(of: self, resolution) }
      cut(sources)
      settle()
    }
  }

  /// Queues the decision, which has been counted, to be taken in its turn on the private queue.
  func enqueueDecision(_ resolution: Resolution) {
    enqueue(resolution.outcome == .completed ? .complete : .cancel) { [self] in decide(resolution, .dequeued) }
  }
}
