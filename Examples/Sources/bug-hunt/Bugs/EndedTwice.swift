// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting
import Synchronization

/// The code checks under the lock, releases it, and acts under the lock.
enum EndedTwice {
  static let bug = Bug(
    id: "T1",
    title: "A job that two threads end",
    hunts: [
      .loop: { side in
        await Find.loop {
          let job = Job()
          let ends = Mutex(0)
          atOnce { _ in if job.end(side) { ends.withLock { $0 += 1 } } }
          return ends.withLock { $0 } != 1
        }
      },
      .race: { side in
        Find(
          await race(
            "end against end",
            for: Find.limit,
            make: { Job() },
            actors: { $0.end(side) },
            { $0.end(side) },
            outcome: { _, first, second in "\(first) \(second)" },
            expect: [
              .acceptable("true false", "the first"), .acceptable("false true", "the second"),
              .forbidden("true true", "both"),
            ]
          )
        )
      },
      .linearizability: { side in
        Find(
          await linearizabilityStress(
            "end",
            histories: 50_000,
            make: { Job() },
            model: false,
            operations: [
              .init(
                "end()",
                { $0.end(side) },
                model: { isOver in
                  defer { isOver = true }
                  return !isOver
                }
              )
            ]
          )
        )
      },
      .explore: { side in
        Find(
          await explore("end against end") { scenario in
            let (job, ends) = (Job(), Variable(0))
            for name in ["first", "second"] {
              let isOver = Variable(false)
              // The naive one takes the lock twice, so it is two steps.
              if side == .naive {
                scenario.actor(
                  name,
                  .init("looks") { isOver.value = job.isOver },
                  .init("ends") {
                    if !isOver.value {
                      job.setOver()
                      ends.value += 1
                    }
                  }
                )
              } else {
                scenario.actor(name, .init("ends") { if job.end(side) { ends.value += 1 } })
              }
            }
            scenario.atEnd { ends.value == 1 ? nil : "ended \(ends.value) times" }
          }
        )
      },
    ]
  )

  private final class Job: Sendable {
    private let over = Mutex(false)
    var isOver: Bool { over.withLock { $0 } }
    func setOver() { over.withLock { $0 = true } }

    func end(_ side: Bug.Side) -> Bool {
      if side == .fixed {
        return over.withLock { over in
          defer { over = true }
          return !over
        }
      }
      guard !isOver else { return false }
      setOver()
      return true
    }
  }
}
