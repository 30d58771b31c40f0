// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// Where something was made: a future, a scope, an activity.
public struct Origin: Sendable, CustomStringConvertible {
  /// The label, if it was given one.
  public let label: String?
  let site: CreationSite

  init(label: String?, site: CreationSite) {
    self.label = label
    self.site = site
  }

  /// The place in the source, as `App/Loader.swift:31`.
  public var place: String { "\(site)" }

  /// The name: the label or, without one, the place, meant for people to read.
  public var description: String { FutureName(label: label, site: site).plain }
}
