// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture

/// Holds the jobs of tasks that prefer it until the test runs them, on its own thread: so a test decides what happens
/// before a child task starts, or before a suspended task continues.
package final class HeldExecutor: TaskExecutor {
  private let jobs = Locked<[UnownedJob]>([])

  package init() {}

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  /// The number of jobs that wait.
  package var count: Int { jobs.withLock { $0.count } }

  /// Runs the jobs that wait now, and not those that they add.
  package func runWaiting() {
    let waiting = jobs.withLock { exchange(&$0, with: []) }
    for job in waiting { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}
