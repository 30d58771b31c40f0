// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The way in which the actors of a batch are kept together.
///
/// The best pacing depends on the race. Actors of equal length that do little meet best when they run freely through
/// many rounds, because the memory they share keeps them in step; unequal ones drift apart and have to meet often; a
/// long actor against a short one needs jitter. So it changes from batch to batch.
package struct Pacing: Sendable, Equatable {
  /// The number of rounds after which they wait for each other: 1 is a rendezvous before every round, more is a stride.
  var stride: Int
  /// The maximum number of spins that an actor waits after a meeting.
  var jitter: Int

  /// Draws a pacing for actors that have a core each or have not (`isCrowded`).
  ///
  /// Without enough cores a meeting costs a switch of threads, so there are fewer.
  static func drawn(from generator: inout SeededGenerator, isCrowded: Bool) -> Pacing {
    let strides = isCrowded ? [16, 64, .max, .max] : [1, 4, 16, 64, .max]
    let stride = strides[Int(generator.next() % UInt64(strides.count))]
    return Pacing(stride: stride, jitter: 1 << (generator.next() % 8))
  }
}
