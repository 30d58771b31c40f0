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
    let handlers = process { $0.takeHandlersAtEnd() }
    let links = process { $0.takeLinksAtEnd() }
    if handlers.isEmpty, !handlers.hasNodeless, links == nil { return }
    // What the error tells is known only as long as the future is there; most that go leave nobody to be told.
    let isDependedOn = handlers.hasStages || links?.hooks.contains(where: \.hasDependent) == true
    let remains = Remains(handlers, links, isDependedOn ? AbandonedError(self) : nil)
    Trampoline.run { remains.release() }
  }
}

/// What a future leaves behind; it belongs to the one thread that released the future.
private final class Remains {
  private var handlers: HandlerChain
  private let links: Links?
  /// What those who depended on the future are told; nil: nobody did.
  private let error: AbandonedError?

  init(_ handlers: consuming HandlerChain, _ links: Links?, _ error: AbandonedError?) {
    self.handlers = handlers
    self.links = links
    self.error = error
  }

  /// Tells those who depended on the future, and releases everything piece by piece.
  func release() {
    var stages = error.map { tellDependents(.cancelled($0)) } ?? []
    links?.cutAll()
    _ = handlers.takeNodeless()
    while let node = handlers.next() { node.revoke() }
    // One by one: each may be the end of a chain.
    while stages.popLast() != nil {}
  }

  /// Returns the stages, to be released when all have been told.
  private func tellDependents(_ resolution: Resolution) -> [Stage] {
    links?.abandonDependents(resolution)
    var errands = Errands()
    var stages: [Stage] = []
    handlers.forEach { node in
      guard let stage = node.takeStage() else { return }
      if let errand = stage.abandon(resolution, at: node.trigger) { errands.append(errand) }
      stages.append(stage)
    }
    errands.run()
    return stages
  }
}

extension Links {
  /// Tells the futures for which this one was to speak that it won't.
  fileprivate func abandonDependents(_ resolution: Resolution) {
    hooks.forEach { hook in
      guard let dependent = hook.orphan else { return }
      dependent.abandon(hook, resolution)
      // So that one which is linked by several hooks of this future finds none of them at the last.
      hook.link.cut(from: .source)
    }
  }
}
