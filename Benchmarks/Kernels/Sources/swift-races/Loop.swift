// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation

/// Runs a kernel again and again as it is, and counts.
struct Loop {
  struct Count {
    var runs = 0
    var failures = 0
    /// What was wrong first.
    var reason = ""
  }

  let kernel: Kernel
  let executor: (any TaskExecutor)?
  /// Ends the process when the pool is lost, because nothing that awaits goes on then.
  let onLostPool: @Sendable (Count) -> Never

  init(
    _ kernel: Kernel,
    on executor: (any TaskExecutor)? = nil,
    onLostPool: @escaping @Sendable (Count) -> Never
  ) {
    self.kernel = kernel
    self.executor = executor
    self.onLostPool = onLostPool
  }

  /// Runs until the number, the time, or ten runs without an end are reached.
  ///
  /// On a thread of its own, because it blocks.
  func run(_ runs: Int, for seconds: Double, isMended: Bool = false) async -> Count {
    await withCheckedContinuation { continuation in
      Thread { continuation.resume(returning: count(runs, seconds, isMended)) }.start()
    }
  }

  private func count(_ runs: Int, _ seconds: Double, _ isMended: Bool) -> Count {
    let end = DispatchTime.now() + seconds
    let hasThreads = kernel.hasThreads
    var (count, hung) = (Count(), 0)
    while count.runs < runs, hung < 10, DispatchTime.now() < end {
      count.runs += 1
      let scene = kernel.scene(isMended: isMended)
      let didEnd = hasThreads ? runThreads(of: scene) : runTasks(of: scene)
      if !didEnd { hung += 1 }
      guard let verdict = didEnd ? scene.verdict() : "no end" else { continue }
      if count.failures == 0 { count.reason = verdict }
      count.failures += 1
      // Threads that wait for each other take the pool along; nothing that follows would count.
      if !didEnd, !isPoolAlive() { onLostPool(count) }
    }
    return count
  }

  private func runTasks(of scene: Scene) -> Bool {
    let done = DispatchSemaphore(value: 0)
    Task(executorPreference: executor) {
      await scene.run(on: executor)
      done.signal()
    }
    return done.wait(timeout: .now() + 2) == .success
  }

  private func runThreads(of scene: Scene) -> Bool {
    let group = DispatchGroup()
    for thread in scene.threads { DispatchQueue.global().async(group: group) { thread.body() } }
    return group.wait(timeout: .now() + 2) == .success
  }

  private func isPoolAlive() -> Bool {
    if kernel.hasThreads { return true }
    let done = DispatchSemaphore(value: 0)
    Task(executorPreference: executor) { done.signal() }
    return done.wait(timeout: .now() + 2) == .success
  }
}
