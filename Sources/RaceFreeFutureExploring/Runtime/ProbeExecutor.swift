// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// An executor of tasks that try what the runtime does.
///
/// Used by one thread only, which makes it `@unchecked Sendable`.
final class ProbeExecutor: TaskExecutor, @unchecked Sendable {
  private var jobs: [UnownedJob] = []
  func enqueue(_ job: consuming ExecutorJob) { jobs.append(UnownedJob(job)) }
  var first: UnownedJob? { jobs.first }

  /// Runs the job that came first; returns false if there is none.
  func runFirst() -> Bool {
    if jobs.isEmpty { return false }
    // Each is removed once, and run once.
    unsafe jobs.removeFirst().runSynchronously(on: asUnownedTaskExecutor())
    return true
  }
}
