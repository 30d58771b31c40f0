// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting

/// Runs actors against each other, round after round, each round with a fresh subject, and verifies each subject after
/// all have acted.
///
/// What `race` does, without outcomes to count: for any number of actors, and for what is asserted of each subject.
///
/// - Parameters:
///   - rounds: How many subjects.
///   - make: Makes a subject.
///   - actors: What acts on it, each on its own thread.
///   - verify: Looks at a subject when all actors have returned. Runs on a thread of this call.
package func stress<Subject: Sendable>(
  rounds: Int,
  make: @escaping @Sendable () -> Subject,
  actors: [@Sendable (Subject) -> Void],
  verify: @escaping @Sendable (Subject) -> Void
) async {
  await onThread {
    let threads = ActorThreads(seed: testSeed, actors: actors)
    var left = rounds
    while left > 0 {
      let batch = (0..<min(left, 256)).map { _ in make() }
      left -= batch.count
      threads.run(batch)
      for subject in batch { verify(subject) }
    }
    threads.stop()
  }
}
