// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// The end of a future that is released while it is pending. No lock is held, and nothing here recurses along a chain
// (law L10): see `Trampoline`.
//
// - **K5** Dependents of a released future are resolved. First, futures that could only get their outcomes from this one
//   are notified that none will come: stages (S3), and futures that this one was to decide (`passControl`, `all`,
//   `any`), are cancelled with `AbandonedError` (law L9). So code that waits for one of them continues before the user's
//   closures are released.
//
// Then the handlers are released without being run.

extension Future {
  /// Releases the contents of a pending future at its end.
  func tearDown() {
    if Hooks.isOn(.observer) { Observation.tell(self, .abandoned) }
    let remains = process { $0.takeRemainsAtEnd() }
    if remains.handlers.isEmpty, !remains.handlers.hasSlot, remains.sources.isEmpty { return }
    // A link in the list of handlers keeps its target, and one among the sources its source, or it would have kept this
    // future.
    remains.sources.forEach { link in link.kept.process { $0.detach(link) } }
    // The contents of the error are known only while the future exists; most futures leave no dependents.
    let error = remains.handlers.hasLinks ? AbandonedError(origin: origin) : nil
    let pending = PendingRemains(remains, error)
    Trampoline.run { pending.release() }
  }
}

/// The remains of a future; they belong to the one thread that released it.
private final class PendingRemains {
  private var remains: FutureMachine.Remains
  /// The error for the future's dependents; nil if there are none.
  private let error: AbandonedError?

  init(_ remains: consuming FutureMachine.Remains, _ error: AbandonedError?) {
    self.remains = remains
    self.error = error
  }

  /// Notifies the future's dependents, and releases everything piece by piece.
  func release() {
    var closures = error.map { notifyDependents(.cancelled($0)) } ?? []
    // One by one, like all that follows: each may be the end of a chain.
    while remains.sources.popFirst() != nil {}
    _ = remains.handlers.takeSlot()
    while let entry = remains.handlers.next() { entry.handler?.revoke() }
    while closures.popLast() != nil {}
  }

  /// Returns the closures of stages, to be released when all have been notified.
  private func notifyDependents(_ resolution: Resolution) -> [Stage.Answer] {
    var engine = Engine()
    var closures: [Stage.Answer] = []
    remains.handlers.first?.forEachLink { link in
      let target = link.kept
      guard let stage = link.stage else {
        return engine.abandon(target, by: link, resolution)
      }
      if stage.answers(.cancelled) {
        if let answer = stage.run(resolution) { engine.decide(target, answer) }
      } else if let closure = target.process({ $0.takeAnswer(of: stage) }) {
        closures.append(closure)
        engine.decide(target, resolution)
      }
    }
    engine.run()
    return closures
  }
}
