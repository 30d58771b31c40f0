// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// One end of a link, in the list of one of its two futures.
///
/// `@unchecked Sendable`: `next`, `previous` and `isListed` belong to that future's lock while the list changes; once
/// it is frozen `next` is only read, until the last reference to the frozen `Links` goes. `kept` is taken by the one
/// thread that ends the future (`Links.cutAll`).
@safe
final class Hook: IntrusiveNode, @unchecked Sendable {
  let link: Link
  /// Which of the two futures has this end.
  let end: Link.End
  /// The future at the other end, if this end keeps it alive.
  fileprivate var kept: Future?
  var next: Hook?
  var previous: Unmanaged<Hook>?
  var isListed = false

  init(_ link: Link, _ end: Link.End, keeps kept: Future?) {
    self.link = link
    self.end = end
    self.kept = kept
  }

  /// The future at the other end if the outcome at this end may mean something to it, and if it still is there.
  var follower: Future? { link.follower(of: end) }

  /// Whether the outcome at this end may mean something to the future at the other end.
  func concerns(_ outcome: Future.Outcome) -> Bool { link.concerns(outcome, at: end) }

  /// Whether the future at the other end waits for an outcome of that at this end.
  var hasDependent: Bool { end == .source && link.hasDependent }

  /// The future at the other end, if it can't get an outcome through this link any more once the future at this end has
  /// gone.
  var orphan: Future? { end == .source ? link.dependentTarget : nil }

  /// Whether the future at this end is one for which that at the other end speaks.
  var isSpokenFor: Bool { end == .target && link.speaks }

  /// What the outcome at this end asks of the future at the other end.
  ///
  /// Called with the latter locked.
  func verdict(for resolution: Resolution) -> Resolution? { link.verdict(for: resolution, at: end) }
}

/// The links of one future.
///
/// It changes only under the future's lock while that is undecided; then it is frozen: read, perhaps by several
/// threads, and never written again. That makes it `@unchecked Sendable`.
final class Links: @unchecked Sendable {
  private(set) var hooks = IntrusiveList<Hook>()

  func append(_ hook: Hook) { change { $0.append(hook) } }

  func remove(_ hook: Hook) { change { $0.remove(hook) } }

  /// Whether the outcome may mean something to any future at another end.
  func concern(_ outcome: Future.Outcome) -> Bool { hooks.contains { $0.concerns(outcome) } }

  /// Cuts every link and hands over the futures that were kept alive by them; each is released before the next link is
  /// cut, unless the caller keeps it.
  ///
  /// Called once, after the list has been frozen, by the thread that delivers or dismantles the future. No lock may be
  /// held.
  func cutAll(_ handOver: (Future) -> Void = { _ in }) {
    hooks.forEach { hook in
      hook.link.cut(from: hook.end)
      if let future = hook.kept.take() { handOver(future) }
    }
  }

  deinit {
    change { $0.removeAll() }
  }

  /// Changes the list outside of its place: what is changed in place by several calls is checked at run time for a
  /// second access, here and wherever the list is read.
  private func change(_ body: (inout IntrusiveList<Hook>) -> Void) {
    var list = exchange(&hooks, with: IntrusiveList())
    body(&list)
    hooks = list
  }
}
