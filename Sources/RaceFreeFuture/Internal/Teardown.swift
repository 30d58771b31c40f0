// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// The end of a future that is dropped while it is pending. No lock is held, and nothing here recurses along a chain
// (law L10): see `Trampoline`.
//
// - What waits for an outcome of this future, which it will never have, is told so: stages, and futures for which this
//   one was to speak (`passControl`, `all`, `any`), are cancelled with `AbandonedError` (law L9).
// - A cancellation that would have come through this future goes on past it: whoever was to cancel it is linked to those
//   whom it was to cancel. So a cancellation isn't lost because nobody held the future in the middle.
// - Its handlers are released without being run.

extension Future {
  /// Releases what a pending future held that goes.
  func tearDown() {
    if Observation.isOn { Observation.tell(self, .abandoned) }
    let handlers = process { $0.takeHandlersAtEnd() }
    let links = process { $0.takeLinksAtEnd() }
    if handlers.isEmpty, !handlers.hasNodeless, links == nil { return }
    let remains = Remains(handlers, links)
    remains.prepare(for: self)
    Trampoline.run { remains.release() }
  }
}

/// What a future leaves behind; it belongs to the one thread that released the future.
private final class Remains {
  private var handlers: HandlerChain
  private let links: Links?
  /// Decisions that other futures are owed.
  private var errands = Errands()
  /// The same for those that are linked rather than derived.
  private var orphans: [(future: Future, hook: Hook, Resolution)] = []

  init(_ handlers: consuming HandlerChain, _ links: Links?) {
    self.handlers = handlers
    self.links = links
  }

  /// Notes what has to be known of the future while it still is there.
  func prepare(for future: Future) {
    handlers.forEach { node in
      if let errand = node.abandon(throwing: AbandonedError(future)) { errands.append(errand) }
    }
    links?.hooks.forEach { hook in
      guard let orphan = hook.orphan else { return }
      orphans.append((orphan, hook, .cancelled(AbandonedError(future))))
    }
  }

  /// Releases everything, piece by piece.
  func release() {
    _ = handlers.takeNodeless()
    while let node = handlers.next() { node.revoke() }
    links?.splice()
    for (future, hook, resolution) in orphans { future.follow(hook, resolution) }
    orphans = []
    links?.cutAll()
    errands.run()
  }
}

extension Links {
  /// Links whoever was to cancel this future with whomever it was to cancel.
  fileprivate func splice() {
    hooks.forEach { incoming in
      guard let source = incoming.cascadeSource else { return }
      hooks.forEach { outgoing in
        guard let target = outgoing.cascadeTarget else { return }
        // If the source has been cancelled meanwhile the target follows at once.
        Link.connect(.cascade, from: source, to: target, keeping: .nothing)
      }
    }
  }
}

extension HandlerNode {
  /// Takes a stage out of a future that goes; returns what is to become of the future for which it worked.
  fileprivate func abandon(throwing error: @autoclosure () -> AbandonedError) -> Errand? {
    guard isStage, case .stage(let stage)? = revokedWork() else { return nil }
    let resolution = Resolution.cancelled(error())
    return trigger == nil ? stage.run(resolution) : Errand(target: stage.target, resolution: resolution)
  }
}
