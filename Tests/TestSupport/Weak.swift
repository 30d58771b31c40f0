// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// Refers to an object without keeping it, to see who else does.
package struct Weak<Object: AnyObject & Sendable>: Sendable {
  package weak let object: Object?

  package init(_ object: Object) { self.object = object }

  package var isGone: Bool { object == nil }
}
