// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// Puts the parts of a task in line.
final class LineExecutor: TaskExecutor {
  private let run: OrderRun
  private let line: Int

  init(_ run: OrderRun, _ line: Int) {
    self.run = run
    self.line = line
  }

  func enqueue(_ job: consuming ExecutorJob) {
    // Each job is handed over once, and run once.
    let job = UnownedJob(job)
    run.add(
      job,
      of: line,
      WorkLines.Item(label: { "goes on" }) { [self] in unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
    )
  }
}

/// The number of the task that a job belongs to; 0 if it is none of a task, but of a Swift actor.
@_silgen_name("swift_task_getJobTaskId")
func jobTaskID(_ job: UnownedJob) -> UInt64
