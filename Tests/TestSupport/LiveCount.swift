// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Synchronization

/// Counts the living instances of what it made: handlers capture them, and the count says whether the handlers were
/// released.
package final class LiveCount: Sendable {
  private let count = Atomic(0)

  package init() {}

  package var value: Int { count.load(ordering: .acquiring) }

  package func make() -> Instance { Instance(self) }

  package final class Instance: Sendable {
    private let owner: LiveCount
    fileprivate init(_ owner: LiveCount) {
      self.owner = owner
      owner.count.add(1, ordering: .acquiringAndReleasing)
    }
    deinit { owner.count.subtract(1, ordering: .acquiringAndReleasing) }
    /// For closures that need to mention what they keep.
    package func touch() {}
  }
}
