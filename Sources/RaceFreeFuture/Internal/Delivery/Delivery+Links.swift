// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Dispatch

// The life of a link: it is added to both lists, passed when its source is delivered, and cut when its target is.

extension Future {
  // MARK: Linking

  /// Links this future, as the source, to a target.
  ///
  /// If either is already resolved the other one follows at once, and no link remains.
  ///
  /// - Returns: The decision for the target, if the link is a stage with an answer at once.
  @discardableResult
  func connect(_ link: Link, to target: Future) -> DeferredDecision? {
    guard self !== target, !isUnresolvable, !target.isUnresolvable else { return nil }
    guard target.process({ $0.addSource(link) }) else {
      if let resolution = target.resolution, link.concerns(resolution.outcome, at: .target) {
        follow(link, from: .target, resolution.passedOn(by: target))
      }
      return nil
    }
    // The target may be resolved between these two lines: then it has detached the link, which isn't added here.
    guard case .dispatch(let resolution) = process({ $0.add(link) }) else { return nil }
    if let stage = link.stage, stage.answers(resolution.outcome) { return dispatchLate(stage, resolution) }
    target.follow(link, from: .source, resolution.passedOn(by: self))
    target.process { $0.ignore(link) }
    return nil
  }

  // MARK: The source's outcome

  /// Does what remains for a link whose source, this future, is delivered.
  func pass(
    _ link: Link,
    _ resolution: Resolution,
    _ decisions: inout DecisionQueue,
    _ report: inout FutureMachine.Report
  ) {
    if let stage = link.stage, stage.answers(resolution.outcome) {
      if stage.runsInline {
        if let decision = stage.run(resolution) { decisions.append(decision) }
      } else {
        report.dispatchedCount += 1
        dispatch(stage, resolution)
      }
    } else if link.keptEnd == .target {
      link.kept.process { $0.ignore(link) }
    } else if !link.concerns(resolution.outcome, at: .source), let target = link.future(at: .target) {
      // It hasn't been notified.
      target.process { $0.ignore(link) }
    }
  }

  /// Runs or dispatches a stage that came after the outcome, and that the machine has counted; returns the requested
  /// decision.
  private func dispatchLate(_ stage: Stage, _ resolution: Resolution) -> DeferredDecision? {
    guard stage.runsInline else {
      dispatch(stage, resolution)
      return nil
    }
    defer { letGo() }
    return stage.run(resolution)
  }

  private func dispatch(_ stage: Stage, _ resolution: Resolution) {
    let work: @Sendable () -> Void = { [self] in
      stage.run(resolution)?.run()
      letGo()
    }
    switch stage.context {
    case .queue(let queue): dispatch(.stage, on: queue, work)
    case .serialQueue, .inline: enqueue(.stage, work)
    }
  }

  // MARK: The target's outcome

  /// Cuts the links by which this future, which has been resolved, depended on others.
  func cut(_ sources: consuming SourceList) {
    while let link = sources.popFirst() {
      // The user's closure, for a target that no longer needs it (K3).
      _ = link.stage?.takeClosure()
      link.future(at: .source)?.process { $0.detach(link) }
    }
  }
}
