// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// A cancellation: its reason, its path, and the call that began it.
public struct Cancellation: Sendable, CustomStringConvertible {
  /// The reason given by the deciding call; see ``CancellableWork/cancellationReason``.
  public let reason: any Error
  /// The names of the futures through which it came, from where it began to the parent of this one.
  ///
  /// Empty unless it came through links: those of ``CancellableWork/init(linkedTo:_:label:fileID:line:)``,
  /// ``CancellableWork/cascadeCancellation(to:)``, ``Future/passControl(to:)`` and of futures that were created from
  /// others. Each name is the name of an ``Origin``; after three there is `…`.
  public let path: [String]
  let site: CreationSite?

  /// The place in the source of the call with which it began, as `App/Loader.swift:31`: the call that cancelled the
  /// first future, or that set the deadline which did.
  ///
  /// Nil unless there was a ``Future/observer`` at that moment; and for cancellations that no call in the program
  /// requested, such as that by a task.
  public var place: String? { site.map { "\($0)" } }

  /// The reason, the path and the place, meant for people to read.
  public var description: String { CancellationTrace.text(reason, along: path, from: site) }
}
