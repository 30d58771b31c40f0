// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// How the actors of a batch are kept together.
///
/// Which pacing finds a race depends on the race. Actors of equal length that do little meet best when they run freely
/// through many rounds, because the memory they share keeps them in step; unequal ones drift apart and have to meet
/// often; a long actor against a short one needs jitter. So it changes from batch to batch.
package struct Pacing: Sendable, Equatable {
  /// After how many rounds they wait for each other: 1 is a rendezvous before every round, more is a stride.
  var stride: Int
  /// How many spins at most an actor waits after a meeting, before it goes on.
  var jitter: Int

  /// Another one, for actors that have a core each or have not (`isCrowded`).
  ///
  /// Without cores enough a meeting costs a change of threads, so there are fewer.
  static func drawn(from generator: inout SeededGenerator, isCrowded: Bool) -> Pacing {
    let strides = isCrowded ? [16, 64, .max, .max] : [1, 4, 16, 64, .max]
    let stride = strides[Int(generator.next() % UInt64(strides.count))]
    return Pacing(stride: stride, jitter: 1 << (generator.next() % 8))
  }
}
