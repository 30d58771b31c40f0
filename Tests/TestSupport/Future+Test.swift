// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

package import RaceFreeFuture
package import RaceFreeFutureTesting

extension CancellableWork {
  /// Queues a block that waits at the gate: until it is opened every decision has to be queued behind it.
  package func standStill(until gate: Gate) { perform { gate.wait() } }
}

extension Future {
  /// Resolves it one way or the other.
  package func resolve(_ outcome: Outcome) {
    switch outcome {
    case .completed: complete()
    case .cancelled: cancel()
    }
  }
}
