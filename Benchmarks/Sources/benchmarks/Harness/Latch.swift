// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import Synchronization

/// Lets one thread wait for the end of a burst: the last of so many arrivals wakes it.
final class Latch: Sendable {
  private let left: Atomic<Int>
  private let done = DispatchSemaphore(value: 0)

  init(_ count: Int) {
    left = Atomic(count)
  }

  func arrive() {
    if left.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { done.signal() }
  }

  func wait() {
    done.wait()
  }
}
