// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Dispatch
internal import RaceFreeFuture

/// What threads have done to an order that don't belong to it; used by all of them.
final class OtherThreads: Sendable {
  enum Intrusion {
    case work(line: Int, in: String? = nil)
    /// Code of the order has started something that others run; in words.
    case starts(line: Int?, String, callers: [UInt])
    /// A task moved to a foreign executor; in words.
    case leaves(String)
    case wait(ScheduledQueue)

    var isStart: Bool { if case .starts = self { true } else { false } }
  }

  /// The waits for futures, those of the order included.
  struct Waits {
    var futures: [Int: (line: Int?, future: ScheduledQueue)] = [:]
    var count = 0
  }

  /// The first action of another thread.
  let intrusion = Locked<Intrusion?>(nil)
  let waits = Locked(Waits())
  /// Jobs that other threads have queued.
  private let jobs = Locked<[(job: UnownedJob, place: JobPlace)]>([])
  private let jobsCame = OwnSemaphore()

  func note(_ new: Intrusion) {
    intrusion.withLock { intrusion in
      switch (intrusion, new) {
      case (nil, _): intrusion = new
      // More is known now.
      case (.starts, let other) where !other.isStart: intrusion = new
      // The same intrusion, of which more is known now.
      case (.work(let line, nil), .work(let again, _?)) where line == again: intrusion = new
      default: break
      }
    }
  }

  /// Keeps a job until the order takes it.
  func queue(_ job: UnownedJob, at place: JobPlace) {
    jobs.withLock { $0.append((job, place)) }
    jobsCame.signal()
  }

  /// Removes and returns the jobs that were queued meanwhile.
  func takeJobs() -> [(job: UnownedJob, place: JobPlace)] {
    jobs.withLock { jobs in
      defer { jobs = [] }
      return jobs
    }
  }

  /// Waits until a job is queued; returns false if the time is up before.
  func waitForJobs(until time: DispatchTime) -> Bool { jobsCame.wait(until: time) }
}
