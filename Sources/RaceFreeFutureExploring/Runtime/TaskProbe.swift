// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// Checks that tasks and actors have the layout that the explorer expects.
///
/// Runs on the thread that explores, before the hooks are set: all of its tasks have an executor of their own.
enum TaskProbe {
  static func run(_ beginnings: Set<UInt>) -> TaskLayout? {
    let (executor, subject) = (ProbeExecutor(), ProbeActor())
    let task = Task(name: "probe", executorPreference: executor, priority: .medium) { await subject.visit() }
    guard let job = executor.take(), job.kind == .task else { return nil }
    guard beginnings.contains(TaskLayout.resumes(job)), TaskLayout.prefers(job.address, executor),
      TaskLayout.word(job.address, 0) == TaskLayout.metadata, TaskLayout.isEnqueued(job.address),
      !TaskLayout.isComplete(job.address)
    else { return nil }
    let hasNames = TaskLayout.name(of: job.address) == "probe"
    unsafe job.runSynchronously(on: executor.asUnownedTaskExecutor())
    // It hops to the actor, which requests a turn.
    guard let turn = executor.take(), turn.kind.isActorTurn,
      TaskLayout.isTurn(turn, of: subject)
    else { return nil }
    unsafe turn.runSynchronously(on: executor.asUnownedTaskExecutor())
    // It may end there, or come back first.
    if let back = executor.take() { unsafe back.runSynchronously(on: executor.asUnownedTaskExecutor()) }
    guard TaskLayout.isComplete(job.address) else { return nil }
    _ = task
    return TaskLayout(beginnings: beginnings, hasNames: hasNames)
  }

  private actor ProbeActor {
    private var visits = 0
    func visit() { visits += 1 }
  }

  /// Used by one thread only, which makes it `@unchecked Sendable`.
  private final class ProbeExecutor: TaskExecutor, @unchecked Sendable {
    private var jobs: [UnownedJob] = []
    func enqueue(_ job: consuming ExecutorJob) { jobs.append(UnownedJob(job)) }
    func take() -> UnownedJob? { jobs.isEmpty ? nil : jobs.removeFirst() }
  }
}
