// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if os(Linux) && compiler(>=6.3)
  // Task.sleep uses the executor that a task prefers, if possible. This isn't guaranteed for the future.
  @_spi(ExperimentalScheduling) internal import _Concurrency
#endif

/// The executor that all tasks of an order prefer.
final class RunExecutor: TaskExecutor {
  private let run: OrderRun

  init(_ run: OrderRun) { self.run = run }

  func enqueue(_ job: consuming ExecutorJob) { run.receive(UnownedJob(job), at: .anywhere) }
}

#if os(Linux) && compiler(>=6.3)
  extension RunExecutor: SchedulingExecutor {
    func enqueue<C: Clock>(
      _ job: consuming ExecutorJob,
      after delay: C.Duration,
      tolerance: C.Duration?,
      clock: C
    ) {
      run.receive(UnownedJob(job), after: (delay as? Duration) ?? .zero)
    }

    func enqueue<C: Clock>(
      _ job: consuming ExecutorJob,
      at instant: C.Instant,
      tolerance: C.Duration?,
      clock: C
    ) {
      // The caller has added a duration to the time a moment ago.
      let left = clock.now.duration(to: instant) as? Duration
      run.receive(UnownedJob(job), after: left.map(run.sleepTime) ?? .zero)
    }
  }
#endif

/// The executor of the main actor while an order runs.
final class RunMainExecutor: SerialExecutor {
  private let run: OrderRun

  init(_ run: OrderRun) { self.run = run }

  func enqueue(_ job: consuming ExecutorJob) { run.receive(UnownedJob(job), at: .mainActor) }

  /// The identity by which the runtime knows it.
  var identity: UInt { unsafe UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()) }

  func checkIsolated() {
    if !run.isOnMainActor { fatalError("this isn't isolated to the main actor") }
  }
}
