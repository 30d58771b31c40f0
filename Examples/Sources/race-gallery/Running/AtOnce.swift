// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import Synchronization

/// Waits for a signal, then runs two blocks at the same time, and returns when both have returned.
///
/// It blocks its thread; the signal has to come from somebody who doesn't need that one.
func atOnce(after signal: DispatchSemaphore, _ first: @Sendable () -> Void, _ second: @Sendable () -> Void) {
  signal.wait()
  let arrived = Atomic(0)
  DispatchQueue.concurrentPerform(iterations: 2) { index in
    arrived.add(1, ordering: .acquiringAndReleasing)
    // Each waits for the other, unless there is no other thread at the moment.
    var spins = 0
    while arrived.load(ordering: .acquiring) < 2, spins < 100_000 { spins += 1 }
    if index == 0 { first() } else { second() }
  }
}
