// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

package import RaceFreeFuture

/// Refers to an object without keeping it, to see who else does.
package struct Weak<Object: AnyObject & Sendable>: Sendable {
  package weak let object: Object?

  package init(_ object: Object) { self.object = object }

  package var isGone: Bool { object == nil }
}

/// Refers to the future of some work without keeping it, to see who else does.
package struct WeakWork: Sendable {
  private let token: @Sendable () -> CancelToken?

  package init(_ work: some CancellableWork) { token = work.cancelToken.weak }

  package var isGone: Bool { token() == nil }
}
