// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import CMeasuring

/// Runs a task on the thread that asks for it, so that suspending and resuming is measured without any change of threads.
enum TaskLoop {
  /// Starts a task that does its first step when `runUntilIdle` is called.
  static func start(_ body: @escaping @Sendable () async throws -> Void) {
    keep_tasks(true)
    Task.detached {
      do {
        try await body()
      } catch {
        fatalError("what is measured has thrown \(error)")
      }
      keep_tasks(false)
    }
  }

  /// Goes on until the task is suspended or has ended.
  static func runUntilIdle() {
    run_tasks()
  }
}

/// What the task gives to the thread that resumes it.
///
/// `@unchecked Sendable`: the task runs on that very thread.
final class Handover<Content>: @unchecked Sendable {
  var content: Content?
}
