// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Logging
import RaceFreeFuture
import ServiceLifecycle
import ServiceLifecycleRecipe
import ServiceLifecycleTestKit
import Testing

extension IntegrationTests {
  @Suite struct ServiceLifecycleTests {
    /// A service beside the scope, from which the test learns that the group runs.
    private struct Neighbour: Service {
      let runs: Future

      func run() async throws {
        runs.complete()
        try await gracefulShutdown()
      }
    }

    let scope = Scope(label: "server")

    /// A service that gives its work as long as it needs.
    private func patient() -> ScopeService {
      ScopeService(scope, gracefully: .seconds(3600), cancelling: .seconds(3600))
    }

    @Test func `a graceful shutdown of the group lets the work of the scope finish`() async throws {
      let request = scope.addTask { [stopToken = scope.stopToken] in
        _ = await stopToken.outcome
        return Task.isCancelled ? "cut off" : "answered"
      }
      let neighbour = Neighbour(runs: Future())
      let group = ServiceGroup(
        services: [patient(), neighbour],
        logger: Logger(label: "group") { _ in SwiftLogNoOpLogHandler() }
      )
      async let end: Void = group.run()
      _ = await neighbour.runs.outcome
      #expect(scope.stopToken.isPending)
      await group.triggerGracefulShutdown()
      try await end
      #expect(try await request.value == "answered")
      #expect(scope.isCancelled && scope.count == 0)
    }

    @Test func `the cancellation of the service cancels the scope, and clean-up is waited for`() async throws {
      let cleanedUp = Future()
      let request = scope.addTask { try await Task.sleep(for: .seconds(3600)) }
      scope.onCancelTask { _ in
        await Task.yield()
        if !Task.isCancelled { cleanedUp.complete() }
      }
      let service = patient()
      let running = Task { try await service.run() }
      running.cancel()
      try await running.value
      #expect(cleanedUp.isCompleted && request.isCancelled && scope.count == 0)
    }

    @Test func `work that was stopped and goes on is cancelled, and what is stuck is named`() async throws {
      let stuck = scope.beginActivity("disk")
      let service = ScopeService(scope, gracefully: .zero, cancelling: .milliseconds(1))
      let error = await #expect(throws: DrainError.self) {
        try await testGracefulShutdown { trigger in
          trigger.triggerGracefulShutdown()
          try await service.run()
        }
      }
      #expect(error?.remaining.contains { "\($0)".hasPrefix("disk of server still runs") } == true, "\(error as Any)")
      #expect(scope.isCancelled)
      stuck.end()
    }

    @Test func `what is stuck is named before the service ends`() async throws {
      let stuck = scope.beginActivity("disk")
      let named = ValueFuture<DrainError>()
      let service = ScopeService(scope, gracefully: .zero, cancelling: .milliseconds(1)) { named.complete(with: $0) }
      scope.stopToken.cancel()
      await #expect(throws: DrainError.self) { try await service.run() }
      guard case .success(let error) = named.result else {
        Issue.record("\(named)")
        return
      }
      #expect(error.remaining.count == 1)
      stuck.end()
    }

    @Test func `a token is cancelled when the graceful shutdown begins`() async throws {
      try await testGracefulShutdown { trigger in
        let token = try await withShutdownToken { shutdown in
          #expect(shutdown.isPending)
          trigger.triggerGracefulShutdown()
          _ = await shutdown.outcome
          return shutdown
        }
        #expect(token.isCancelled)
      }
    }

    @Test func `the token of a service that ends by itself isn't cancelled, and holds nothing up`() async throws {
      try await testGracefulShutdown { trigger in
        let token = try await withShutdownToken { $0 }
        trigger.triggerGracefulShutdown()
        #expect(token.isPending)
      }
    }

    @Test func `a scope that is cancelled by itself ends the service`() async throws {
      let service = patient()
      async let end: Void = service.run()
      scope.cancel()
      try await end
    }

    @Test func `a worker ends before the database that it needs`() async throws {
      let (worker, database) = (Scope(label: "worker"), Scope(label: "database"))
      let isRunning = Future()
      let job = worker.addTask { [stopToken = worker.stopToken] in
        isRunning.complete()
        _ = await stopToken.outcome
        // Marks the job done.
        return try await database.addTask { !Task.isCancelled }.value && database.stopToken.isPending
      }
      let group = ServiceGroup(
        services: [
          ScopeService(database, gracefully: .zero, cancelling: .seconds(3600)),
          ScopeService(worker, gracefully: .seconds(3600), cancelling: .seconds(3600)),
        ],
        logger: Logger(label: "group") { _ in SwiftLogNoOpLogHandler() }
      )
      async let end: Void = group.run()
      _ = await isRunning.outcome
      await group.triggerGracefulShutdown()
      try await end
      #expect(try await job.value)
      #expect(worker.isCancelled && database.isCancelled)
    }
  }
}
