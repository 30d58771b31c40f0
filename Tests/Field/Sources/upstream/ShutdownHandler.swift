// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Logging
import ServiceLifecycle
import Synchronization

private let hasAnswered = Atomic(false)

@Sendable func shutdownHandler() async -> String? {
  struct Waiting: Service {
    func run() async throws {
      await withGracefulShutdownHandler {
        try? await Task.sleep(for: .milliseconds(500))
      } onGracefulShutdown: {
        hasAnswered.store(Task.isShuttingDownGracefully, ordering: .relaxed)
      }
    }
  }
  let group = ServiceGroup(services: [Waiting()], logger: Logger(label: "upstream"))
  Task { try await group.run() }
  try? await Task.sleep(for: .milliseconds(200))
  Task { await group.triggerGracefulShutdown() }
  try? await Task.sleep(for: .seconds(2))
  return hasAnswered.load(ordering: .relaxed) ? nil : "2 s later it had no answer: that needs the lock which is held"
}
