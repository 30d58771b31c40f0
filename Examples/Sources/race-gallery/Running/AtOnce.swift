// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import Synchronization

/// Waits for a signal, then runs two blocks at the same time, and returns when both have returned.
///
/// It blocks its thread; the signal has to come from another thread.
func atOnce(after signal: DispatchSemaphore, _ first: @Sendable () -> Void, _ second: @Sendable () -> Void) {
  signal.wait()
  let meeting = Meeting()
  DispatchQueue.concurrentPerform(iterations: 2) { index in
    meeting.meet()
    if index == 0 { first() } else { second() }
  }
}

/// A meeting point of two sides that then continue at about the same time.
final class Meeting: Sendable {
  private let arrived = Atomic(0)

  /// Spins until the other side arrives, but not forever, as there may be no thread for it; then a little longer, by a
  /// limited number of spins.
  func meet(then most: Int = 64) {
    arrived.add(1, ordering: .acquiringAndReleasing)
    var spins = 0
    while arrived.load(ordering: .acquiring) < 2, spins < 50_000 { spins += 1 }
    for _ in 0..<Int.random(in: 0..<most) { _ = arrived.load(ordering: .relaxed) }
  }
}
