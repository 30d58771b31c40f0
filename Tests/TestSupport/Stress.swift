// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFutureTesting
import Synchronization

/// Runs actors against each other, round after round, each round with a fresh subject, and verifies each subject after
/// all have acted.
///
/// What `race` does, without outcomes to count: for any number of actors, and for what is asserted of each subject.
///
/// One at a time, as races are, whichever tests call it: two would keep each other's actors apart.
///
/// In some of the first rounds one actor is ahead of the others, each in its turn: so whatever comes of that is seen at
/// least now and then, also where a sanitizer makes one of them so slow that it would always be the last.
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
  let actors = actors.enumerated().map { index, actor in
    { @Sendable (round: Round<Subject>) in
      if let ahead = round.ahead, ahead != index { round.waitForTheOneAhead() }
      actor(round.subject)
      if round.ahead == index { round.isFirstDone.store(true, ordering: .releasing) }
    }
  }
  await Turns.take {
    await onThread {
      let threads = ActorThreads(seed: testSeed, actors: actors)
      var done = 0
      while done < rounds {
        let batch = (done..<min(rounds, done + 256)).map { number in
          let isFair = number >= 256 || number % 4 != 0
          return Round(subject: make(), ahead: isFair ? nil : number / 4 % actors.count)
        }
        done += batch.count
        threads.run(batch)
        for round in batch { verify(round.subject) }
      }
      threads.stop()
    }
  }
}

private final class Round<Subject: Sendable>: Sendable {
  let subject: Subject
  /// The actor that is ahead; nil: none.
  let ahead: Int?
  let isFirstDone = Atomic(false)

  init(subject: Subject, ahead: Int?) {
    self.subject = subject
    self.ahead = ahead
  }

  /// Waits until the actor that is ahead has acted, but not for long: it may wait for the others.
  func waitForTheOneAhead() {
    let end = DispatchTime.now().uptimeNanoseconds + 10_000_000
    while !isFirstDone.load(ordering: .acquiring), DispatchTime.now().uptimeNanoseconds < end { spin(microseconds: 5) }
  }
}

/// Keeps the thread busy for so long: to meet others at different moments.
package func spin(microseconds: UInt64) {
  let end = DispatchTime.now().uptimeNanoseconds + microseconds * 1000
  while DispatchTime.now().uptimeNanoseconds < end {}
}
