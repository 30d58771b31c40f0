// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// An object that should be released at the end.
///
/// It is `@unchecked Sendable` because the object is never used: a weak reference may be read by any thread.
struct TrackedObject: @unchecked Sendable {
  private weak let object: AnyObject?
  let label: String
  /// The place where tracking was requested.
  let site: String

  init(_ object: AnyObject, _ label: String, _ site: String) {
    self.object = object
    self.label = label
    self.site = site
  }

  var isAlive: Bool { object != nil }
}
