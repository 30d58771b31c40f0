// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import RaceFreeFutureTesting
import Testing

@testable import RaceFreeFutureExploring

/// What other threads do to tasks of an order, by the addresses of the tasks.
@Suite struct TouchedTasksTests {
  /// Leaves its jobs to the test; used by one thread only, which makes it `@unchecked Sendable`.
  private final class Receiver: TaskExecutor, @unchecked Sendable {
    private var jobs: [UnownedJob] = []
    func enqueue(_ job: consuming ExecutorJob) { jobs.append(UnownedJob(job)) }
    func take() -> UnownedJob? { jobs.isEmpty ? nil : jobs.removeFirst() }
  }

  @Test func `A task isn't taken for an earlier one at its address, and is noticed itself`() async throws {
    // No exploration runs meanwhile: it would take the notes.
    let touches = try await RuntimeControl.turns.take { () -> Result<[Bool], any Error> in
      Result {
        let (run, executor) = (OrderRun(), Receiver())
        let task = Task(executorPreference: executor) {}
        let job = try #require(executor.take())
        // As a thread does that ends a task whose memory the new one gets.
        RuntimeControl.touchedTasks.note(job.address)
        run.receive(job, at: .anywhere)
        let touches = [false, true].map { isTouched in
          if isTouched { RuntimeControl.touchedTasks.note(job.address) }
          run.noteTouched()
          return run.others.intrusion.withLock { $0 != nil }
        }
        unsafe job.runSynchronously(on: executor.asUnownedTaskExecutor())
        run.abandon()
        withExtendedLifetime(task) {}
        return touches
      }
    }.get()
    #expect(touches == [false, true])
  }
}
