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
  /// The future at the other end, if this end keeps it alive.
  fileprivate var kept: Future?
  var next: Hook?
  var previous: Unmanaged<Hook>?
  var isListed = false

  init(_ link: Link, keeps kept: Future?) {
    self.link = link
    self.kept = kept
  }
}

/// The links of one future.
///
/// It changes only under the future's lock while that is undecided; then it is frozen: read, perhaps by several
/// threads, and never written again. That makes it `@unchecked Sendable`.
final class Links: @unchecked Sendable {
  enum End {
    /// This future is the source.
    case outgoing
    /// This future is the target.
    case incoming
  }

  private(set) var outgoing = IntrusiveList<Hook>()
  private(set) var incoming = IntrusiveList<Hook>()

  var isEmpty: Bool { outgoing.isEmpty && incoming.isEmpty }

  subscript(end: End) -> IntrusiveList<Hook> {
    get {
      switch end {
      case .outgoing: outgoing
      case .incoming: incoming
      }
    }
    set {
      switch end {
      case .outgoing: outgoing = newValue
      case .incoming: incoming = newValue
      }
    }
  }

  /// Cuts every link and hands over the futures that were kept alive by them, so that the caller releases them one by
  /// one.
  ///
  /// Called once, after the list has been frozen, by the thread that delivers or dismantles the future. No lock may be
  /// held.
  func cutAll() -> [Future] {
    var kept: [Future] = []
    for list in [outgoing, incoming] {
      list.forEach { hook in
        hook.link.cut()
        if let future = hook.kept { kept.append(future) }
        hook.kept = nil
      }
    }
    return kept
  }

  deinit {
    outgoing.removeAll()
    incoming.removeAll()
  }
}
