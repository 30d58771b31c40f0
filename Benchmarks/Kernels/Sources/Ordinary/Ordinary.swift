// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import Foundation

/// Ordinary code that nobody explores.
public enum Ordinary {
  /// Returns the nanoseconds that `queue.async` takes with its block, in bursts, and those of an uncontended lock.
  public static func costs() -> [Double] {
    let (queue, lock) = (DispatchQueue(label: "ordinary"), NSLock())
    return [
      cost(of: 20_000) {
        for _ in 0..<20_000 { queue.async {} }
        queue.sync {}
      },
      cost(of: 200_000) { for _ in 0..<200_000 { lock.withLock {} } },
    ]
  }

  /// Returns the nanoseconds of each of some uses, after a warm-up.
  private static func cost(of count: Int, _ body: () -> Void) -> Double {
    for _ in 0..<3 { body() }
    let start = ContinuousClock.now
    body()
    return (ContinuousClock.now - start) / .nanoseconds(count)
  }
}
