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
    let machine = process { exchange(&$0, with: FutureMachine()) }
    if machine.handlers.isEmpty, machine.sources.isEmpty { return }
    // A link in the list of handlers keeps its target, and one among the sources its source, or it would have kept this
    // future.
    machine.sources.forEach { source in
      switch source {
      case .link(let link): link.kept.process { $0.detach(link) }
      case .parent(let parent): leave(parent)
      case .derivation: break
      }
    }
    // The contents of the error are known only while the future exists; most futures leave no dependents.
    let error = machine.handlers.hasLinks ? AbandonedError(origin: origin) : nil
    let abandoned = Abandoned(machine, error)
    Trampoline.run { abandoned.release() }
  }
}

/// What a released future leaves behind; it belongs to the one thread that released the future.
private final class Abandoned {
  private var machine: FutureMachine
  /// The error for the future's dependents; nil if there are none.
  private let error: AbandonedError?

  init(_ machine: consuming FutureMachine, _ error: AbandonedError?) {
    self.machine = machine
    self.error = error
  }

  /// Notifies the future's dependents, and releases everything piece by piece.
  func release() {
    var closures = error.map { notifyDependents(.cancelled($0)) } ?? []
    // One by one, like all that follows: each may be the end of a chain.
    while machine.sources.popFirst() != nil {}
    _ = machine.handlers.first.take()
    while let entry = machine.handlers.popAny() { entry.drop() }
    while closures.popLast() != nil {}
  }

  /// Returns the closures of stages, to be released when all have been notified.
  private func notifyDependents(_ resolution: Resolution) -> [DerivedFuture.Answer] {
    var engine = Engine()
    var closures: [DerivedFuture.Answer] = []
    machine.handlers.entries.forEach { entry in
      let stage: Stage
      switch entry {
      case .derived(let derived): stage = Stage(target: unsafe derived.takeUnretainedValue(), link: nil)
      case .link(let unmanaged):
        let link = unsafe unmanaged.takeUnretainedValue()
        guard let own = link.stage else { return engine.abandon(link.kept, by: link, resolution) }
        stage = own
      default: return
      }
      if stage.answers(.cancelled) {
        if let answer = stage.run(resolution) { engine.decide(stage.target, answer) }
      } else if let closure = stage.target.process({ $0.takeAnswer(of: stage) }) {
        closures.append(closure)
        engine.decide(stage.target, resolution)
      }
    }
    engine.run()
    return closures
  }
}
