// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFutureTesting

/// One thread that runs the jobs which are ready, in random order: what a task executor can do about finding races.
///
/// Tasks that prefer it, their children and the default actors that they call run on it; unstructured tasks don't.
final class RandomExecutor: TaskExecutor, @unchecked Sendable {
  private let condition = NSCondition()
  /// Under the condition's lock, as the generator.
  private var ready: [UnownedJob] = []
  private var generator: SeededGenerator

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
    Thread { [self] in while true { runNext() } }.start()
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    condition.withLock {
      ready.append(job)
      condition.signal()
    }
  }

  private func runNext() {
    condition.lock()
    while ready.isEmpty { condition.wait() }
    let job = ready.remove(at: Int.random(in: ready.indices, using: &generator))
    condition.unlock()
    job.runSynchronously(on: asUnownedTaskExecutor())
  }
}
