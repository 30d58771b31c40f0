// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting
import Synchronization
import TestSupport
import Testing

@testable import RaceFreeFutureTestingTools

@Suite struct ActorThreadsTests {
  private static let pacings = [
    Pacing(stride: 1, jitter: 0), Pacing(stride: 3, jitter: 8), Pacing(stride: .max, jitter: 1),
  ]

  @Test(arguments: [1, 2, 3, 7], pacings)
  func `every actor acts on every subject once and in order, batch after batch`(actors: Int, pacing: Pacing) async {
    let logs = (0..<actors).map { _ in EventLog<Int>() }
    await onThread {
      let threads = ActorThreads<Int>(seed: 1, actors: logs.map { log in { log.add($0) } })
      var next = 0
      for size in [1, 0, 50, 7] {
        #expect(threads.run(Array(next..<next + size), pacing: pacing) == nil)
        next += size
        #expect(logs.allSatisfy { $0.events == Array(0..<next) })
      }
      threads.stop()
    }
  }

  @Test func `in a rendezvous no actor begins a round before all have ended the one before`() async {
    let inside = (0..<3).map { _ in Position() }
    let violations = Atomic(0)
    await onThread {
      let actors = inside.indices.map { index -> @Sendable (Int) -> Void in
        { round in
          inside[index].value.store(round, ordering: .sequentiallyConsistent)
          for other in inside where abs(other.value.load(ordering: .sequentiallyConsistent) - round) > 1 {
            violations.add(1, ordering: .relaxed)
          }
        }
      }
      let threads = ActorThreads<Int>(seed: 1, actors: actors)
      for place in inside { place.value.store(0, ordering: .sequentiallyConsistent) }
      threads.run(Array(0..<iterations(500)), pacing: Pacing(stride: 1, jitter: 4))
      threads.stop()
    }
    #expect(violations.load(ordering: .relaxed) == 0)
  }

  @Test func `pairs of calls that are known to be apart are counted`() async {
    await onThread {
      let isFirstAhead = Gate("the first is in its third round")
      let hasSecondFollowed = Gate("the second is in its third round")
      let threads = ActorThreads<Int>(
        seed: 1,
        actors: [
          { round in
            guard round == 2 else { return }
            isFirstAhead.open()
            hasSecondFollowed.wait()
          },
          { round in
            if round == 0 { isFirstAhead.wait() }
            if round == 2 { hasSecondFollowed.open() }
          },
        ]
      )
      // The second begins its second round alone. How early the first begins the first round is its own business.
      threads.run([0, 1, 2], pacing: Pacing(stride: .max, jitter: 0))
      #expect(1...2 ~= threads.separatePairs)
      threads.stop()
    }
  }

  @Test func `an actor that is stuck is named; the others end, and what they held is released`() async throws {
    let never = Gate("the end of the test")
    let live = LiveCount()
    await onThread {
      let threads = ActorThreads<LiveCount.Instance>(
        seed: 1,
        actors: [{ $0.touch() }, { _ in never.wait() }, { $0.touch() }]
      )
      let pacing = Pacing(stride: 1, jitter: 0)
      let stuck = threads.run([live.make(), live.make()], pacing: pacing, patience: 3_000_000_000)
      #expect(stuck?.actors.contains(1) == true)
      #expect(stuck?.round == 0)
      threads.stop()
    }
    never.open()
    try await eventually("everything is released", within: .seconds(3_600)) { live.value == 0 }
  }

  private final class Position: Sendable {
    let value = Atomic(0)
  }
}
