// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// Actors that didn't return.
package struct StuckActors: Equatable, Sendable {
  /// Their places in the list of actors.
  let actors: [Int]
  /// The place of the subject that they act on, in the batch.
  let round: Int
}
