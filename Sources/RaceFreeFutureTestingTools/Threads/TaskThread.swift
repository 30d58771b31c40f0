// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Dispatch
internal import RaceFreeFuture
internal import Synchronization

/// Runs tasks on the thread that waits for them, so that the `async` actors of a race overlap.
///
/// A task that prefers it runs here unless it is isolated to an actor with an executor of its own; so do its children,
/// and the actors that it calls. A thread that waits on the shared pool would starve every task with it; this one is a
/// thread of the race.
final class TaskThread: TaskExecutor {
  private struct Line: Sendable {
    var jobs: [UnownedJob] = []
    var isClosed = false
  }

  private let line = Locked(Line())
  /// One signal for each job, and one for each task that has ended.
  private let news = DispatchSemaphore(value: 0)
  // Relaxed: it is for reports.
  /// True if the thread waits for a job.
  private let isWaiting = Atomic(false)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isClosed = line.withLock { line in
      if !line.isClosed { line.jobs.append(job) }
      return line.isClosed
    }
    if isClosed { globalConcurrentExecutor.enqueue(job) } else { news.signal() }
  }

  /// Runs a body as a task, on the calling thread, which doesn't return before the body has.
  func run(_ body: @escaping @Sendable () async -> Void) {
    // It publishes the effects of the body, which may have ended on another thread.
    let isDone = Flag()
    Task(executorPreference: self) { [news] in
      await body()
      isDone.value.store(true, ordering: .releasing)
      news.signal()
    }
    while !isDone.value.load(ordering: .acquiring) {
      isWaiting.store(true, ordering: .relaxed)
      news.wait()
      isWaiting.store(false, ordering: .relaxed)
      // None if it was the end of a task, of this run or an earlier one.
      let job = line.withLock { $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }
      if let job { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
  }

  /// Leaves all jobs to the shared pool, queued ones and later ones.
  func close() {
    let jobs = line.withLock { line in
      defer { line.jobs = [] }
      line.isClosed = true
      return line.jobs
    }
    for job in jobs { globalConcurrentExecutor.enqueue(job) }
  }

  /// True if its task is suspended, and there is no job to run.
  var isIdle: Bool { isWaiting.load(ordering: .relaxed) }

  private final class Flag: Sendable {
    let value = Atomic(false)
  }
}
