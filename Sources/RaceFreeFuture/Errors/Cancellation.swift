// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// A cancellation: its reason, its path, and the call that began it.
public struct Cancellation: Sendable, CustomStringConvertible {
  /// The reason given by the deciding call; see ``CancellableWork/cancellationReason``.
  public let reason: any Error
  /// The names of the futures through which the cancellation came, from the first to the parent of this future.
  ///
  /// Empty unless the cancellation came through links, which ``CancellableWork/init(linkedTo:_:label:fileID:line:)``,
  /// ``CancellableWork/cascadeCancellation(to:)`` and ``Future/passControl(to:)`` make, and functions that create
  /// futures from others. Each name is the name of an ``Origin``; after three there is `…`.
  public let path: [String]
  let site: CreationSite?

  /// The place in the source, as `App/Loader.swift:31`, of the call that cancelled the first future, or set the
  /// deadline that cancelled it.
  ///
  /// Nil without a ``Future/observer`` at that moment, and for cancellations that no call in the program requested,
  /// such as a task's.
  public var place: String? { site.map { "\($0)" } }

  /// The reason, the path and the place, meant for people to read.
  public var description: String { CancellationTrace.text(reason, along: path, from: site) }
}
