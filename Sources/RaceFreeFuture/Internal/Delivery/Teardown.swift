// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// The end of a future that is dropped while it is pending. No lock is held, and nothing here recurses along a chain
// (law L10): see `Trampoline`.
//
// First, whatever could only get its outcome from this future is told that none will come: stages, and futures for which
// this one was to speak (`passControl`, `all`, `any`), are cancelled with `AbandonedError` (law L9). So whoever waits for
// one of them goes on before the closures of a user are released. Then the handlers are released without being run.

extension Future {
  /// Releases what a pending future held that goes.
  func tearDown() {
    if Observation.isOn { Observation.tell(self, .abandoned) }
    let remains = process { $0.takeRemainsAtEnd() }
    if remains.handlers.isEmpty, !remains.handlers.hasSlot, remains.sources.isEmpty { return }
    // Now, and not when the rest has its turn: nobody may find this future's address when its memory is gone (K1). A link
    // in the list of handlers keeps its target, and one among the sources its source, or it would have kept this future.
    remains.handlers.forEachLink { link in link.kept.process { _ in link.forget() } }
    remains.sources.forEach { link in link.kept.process { $0.detach(link) } }
    // What the error tells is known only as long as the future is there; most that go leave nobody to be told.
    let error = remains.handlers.hasLinks ? AbandonedError(self) : nil
    let legacy = Legacy(remains, error)
    Trampoline.run { legacy.release() }
  }
}

/// What a future leaves behind; it belongs to the one thread that released the future.
private final class Legacy {
  private var remains: FutureMachine.Remains
  /// What those who depended on the future are told; nil: nobody did.
  private let error: AbandonedError?

  init(_ remains: consuming FutureMachine.Remains, _ error: AbandonedError?) {
    self.remains = remains
    self.error = error
  }

  /// Tells those who depended on the future, and releases everything piece by piece.
  func release() {
    var closures = error.map { tellDependents(.cancelled($0)) } ?? []
    // One by one, as all that follows: each may be the end of a chain.
    while remains.sources.popFirst() != nil {}
    _ = remains.handlers.takeSlot()
    while let entry = remains.handlers.next() { entry.handler?.revoke() }
    while closures.popLast() != nil {}
  }

  /// Returns the closures of stages, to be released when all have been told.
  private func tellDependents(_ resolution: Resolution) -> [Stage.Answer] {
    var decisions = DecisionQueue()
    var closures: [Stage.Answer] = []
    remains.handlers.forEachLink { link in
      guard let stage = link.stage else { return link.kept.abandon(link, resolution) }
      if stage.answers(.cancelled) {
        if let decision = stage.run(resolution) { decisions.append(decision) }
      } else if let closure = stage.target.process({ $0.takeAnswer(of: stage) }) {
        closures.append(closure)
        decisions.append(DeferredDecision(target: stage.target, resolution: resolution))
      }
    }
    decisions.run()
    return closures
  }
}
