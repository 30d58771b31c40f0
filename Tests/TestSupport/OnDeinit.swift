// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// Runs a block when its last reference goes: for waiting until somebody else, Dispatch for example, has released what
/// it kept.
package final class OnDeinit: Error {
  private let body: @Sendable () -> Void

  package init(_ body: @escaping @Sendable () -> Void) { self.body = body }

  deinit { body() }

  /// For closures that need to mention what they keep.
  package func touch() {}
}
