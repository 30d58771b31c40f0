// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// MARK: - Link

extension Future {
  /// Lets the other future decide this one: cancelling either cancels both, and completing the other one completes this
  /// one.
  ///
  /// Call it on an outer future that was returned before the inner future, which does the work, existed. While both are
  /// pending, the inner future keeps the outer one alive, not vice versa. If the last inner future is released while
  /// pending, the outer one is cancelled with ``AbandonedError``. Completing the outer future doesn't complete the
  /// inner one, but removes the link from both. Futures that pass control to each other keep each other alive until one
  /// of them is resolved: without another reference, such a cycle stays in memory, with its handlers.
  ///
  /// - Parameter other: The future that does the work.
  @inlinable
  public func passControl(to other: some CancellableWork) {
    follow(other.cancelToken)
  }

  @usableFromInline
  func follow(_ other: CancelToken) {
    other.future.connect(Link(.follow, backward: .cascade, from: other.future, to: self, keeping: .target), to: self)
  }
}

extension CancellableWork where Self == Future {
  /// Creates a future that is cancelled when any of its parents is, for the same reason.
  ///
  /// It is created cancelled if one of them already is. Completing or cancelling the new future doesn't affect the
  /// parents. It keeps its parents alive while it is pending; they don't keep it, and remove the link when it is
  /// resolved or released, so a parent may live long.
  ///
  /// - Parameters:
  ///   - parent: The work whose cancellation reaches the new future: a future, a token, an operation.
  ///   - others: More such work, of any kind.
  ///   - label: A name for descriptions and errors.
  @inlinable
  public init(
    linkedTo parent: some CancellableWork,
    _ others: any CancellableWork...,
    label: String? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) {
    self = .child(of: parent.cancelToken, label: label, fileID: fileID, line: line)
    for other in others { self.link(to: other.cancelToken) }
  }
}

extension Future {
  /// Creates a future with a parent; a parent that can't be resolved can't cancel it.
  @usableFromInline
  static func child(of parent: CancelToken, label: String?, fileID: StaticString, line: UInt) -> Future {
    let site = CreationSite(fileID, line)
    if parent.future.isUnresolvable { return Future(label: label, site: site) }
    return ChildFuture(of: parent.future, label: label, site: site)
  }
}

// MARK: - Combine

extension Future {
  /// Creates a future that completes when all the given ones have, and is cancelled as soon as one is.
  ///
  /// The reason is the cancelled future's. `all([])` is completed. Resolving the new future doesn't affect the given
  /// futures; these keep the new one alive while they are pending, and drop the link once it is resolved. If one of
  /// them is released while pending, the new future is cancelled with ``AbandonedError``.
  ///
  /// - Parameter works: Futures, tokens, operations, mixed. They may already be resolved, and may occur more than once.
  /// - Returns: The new future.
  public static func all(_ works: [any CancellableWork]) -> Future {
    let all = Future(label: "all of \(works.count)")
    if works.isEmpty { all.complete() }
    let countdown = Link.Countdown(works.count)
    for work in works {
      let future = work.cancelToken.future
      future.connect(Link(.all(countdown), from: future, to: all, keeping: .target), to: all)
    }
    return all
  }

  /// Creates a future that completes with the first of the given ones, and is cancelled when all are.
  ///
  /// The reason is that of the last cancellation. `any([])` is cancelled. Resolving the new future doesn't affect the
  /// given futures; these keep the new one alive while they are pending, and drop the link once it is resolved. A given
  /// future that is released while pending counts as cancelled with ``AbandonedError``.
  ///
  /// - Parameter works: Futures, tokens, operations, mixed. They may already be resolved, and may occur more than once.
  /// - Returns: The new future.
  public static func any(_ works: [any CancellableWork]) -> Future {
    let any = Future(label: "any of \(works.count)")
    if works.isEmpty { any.cancel() }
    let countdown = Link.Countdown(works.count)
    for work in works {
      let future = work.cancelToken.future
      future.connect(Link(.any(countdown), from: future, to: any, keeping: .target), to: any)
    }
    return any
  }
}
