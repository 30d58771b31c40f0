// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// MARK: - Relate

extension Future {
  /// From now on, when this future is cancelled the other one is cancelled as well, for the same reason.
  ///
  /// If this future is cancelled already, the other one is at once. A completion passes nothing on. When either is
  /// resolved or released, the link is taken off both. The other future keeps this one alive while both are pending, so
  /// no cancellation is lost because nobody else holds a future in the middle; this one doesn't keep the other. So a
  /// cycle of cascades keeps itself until one of them is resolved. Linking a future to itself does nothing. Callable
  /// from any thread; never blocks.
  ///
  /// In RXFuture the source keeps the target; so a shutdown token kept everything that ever was linked to it.
  ///
  /// - Parameter other: The future that follows. One that has a `perform` block in line follows behind it.
  public func cascadeCancellation(to other: Future) {
    connect(Link(.cascade, from: self, to: other, keeping: .source), to: other)
  }

  /// Lets the other future speak for this one: cancelling either cancels both, and completing the other one completes
  /// this one.
  ///
  /// For an outer future that was handed out before the inner one, which does the work, was there. The inner future
  /// keeps this one alive while both are pending, because it may complete it; this one doesn't keep the inner future.
  /// If the inner one is released while it is pending, and no other speaks for this one, this one is cancelled with
  /// ``AbandonedError``. Completing this one doesn't complete the other, but takes the link off both. Futures that pass control to each other, in a cycle,
  /// keep each other until one of them is resolved.
  ///
  /// - Parameter other: The future that does the work.
  public func passControl(to other: Future) {
    other.connect(Link(.follow, backward: .cascade, from: other, to: self, keeping: .target), to: self)
  }

  /// Makes a future that is cancelled when any of its parents is, for the same reason.
  ///
  /// It is born cancelled if one of them already is. Completing or cancelling the new future does nothing to the
  /// parents. It keeps its parents alive while it is pending; they don't keep it, and forget it when it is resolved or
  /// released: a parent may live long.
  ///
  /// - Parameters:
  ///   - parent: A future whose cancellation reaches the new one.
  ///   - others: More of them.
  ///   - label: A name for descriptions and errors.
  ///   - fileID: Leave it out: the file in which the future is made.
  ///   - line: Leave it out: the line on which the future is made.
  public convenience init(
    linkedTo parent: Future,
    _ others: Future...,
    label: String? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) {
    self.init(label: label, site: CreationSite(fileID, line))
    link(to: parent)
    for other in others { link(to: other) }
  }

  /// Makes a future that is cancelled when any of the tokens is, for the same reason.
  ///
  /// Like ``init(linkedTo:_:label:fileID:line:)-(Future,_,_,_,_)``, for clients who hold tokens.
  ///
  /// - Parameters:
  ///   - parent: A token whose cancellation reaches the new future.
  ///   - others: More of them.
  ///   - label: A name for descriptions and errors.
  ///   - fileID: Leave it out: the file in which the future is made.
  ///   - line: Leave it out: the line on which the future is made.
  public convenience init(
    linkedTo parent: CancelToken,
    _ others: CancelToken...,
    label: String? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) {
    self.init(label: label, site: CreationSite(fileID, line))
    link(to: parent.future)
    for other in others { link(to: other.future) }
  }

  private func link(to parent: Future) {
    parent.connect(Link(.cascade, from: parent, to: self, keeping: .source), to: self)
  }
}

// MARK: - Combine

extension Future {
  /// Makes a future that completes when all the given ones have, and is cancelled as soon as one is.
  ///
  /// The reason is that of the one which was cancelled. `all([])` is completed. Resolving the new future does nothing
  /// to the given ones; they keep it alive while they are pending and forget it once it is resolved. If one of them is
  /// released while it is pending, the new one is cancelled with ``AbandonedError``.
  ///
  /// - Parameter futures: They may be resolved already, and may occur more than once.
  /// - Returns: The new future.
  public static func all(_ futures: [Future]) -> Future {
    let all = Future(label: "all of \(futures.count)")
    if futures.isEmpty { all.complete() }
    let countdown = Link.Countdown(futures.count)
    for future in futures { future.connect(Link(.all(countdown), from: future, to: all, keeping: .target), to: all) }
    return all
  }

  /// Makes a future that completes with the first of the given ones, and is cancelled when all are.
  ///
  /// The reason is that of the last one. `any([])` is cancelled. Resolving the new future does nothing to the given
  /// ones; they keep it alive while they are pending and forget it once it is resolved. One that is released while it
  /// is pending counts as cancelled with ``AbandonedError``.
  ///
  /// - Parameter futures: They may be resolved already, and may occur more than once.
  /// - Returns: The new future.
  public static func any(_ futures: [Future]) -> Future {
    let any = Future(label: "any of \(futures.count)")
    if futures.isEmpty { any.cancel() }
    let countdown = Link.Countdown(futures.count)
    for future in futures { future.connect(Link(.any(countdown), from: future, to: any, keeping: .target), to: any) }
    return any
  }
}
