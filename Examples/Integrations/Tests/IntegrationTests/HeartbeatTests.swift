// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import GRPCCore
import GRPCRecipe
import RaceFreeFuture
import Synchronization
import Testing

extension IntegrationTests {
  @Suite struct HeartbeatTests {
    /// A server that has handed out a job, and is told of its progress.
    private struct Jobs {
      let job = Future(label: "job")
      let beats = ValueFuture<Void>(label: "three heartbeats")
      private let server: ChainServer
      private let clients = Scope(label: "clients")
      let client: ChainServer.Client

      init(answering: Bool = true) async throws {
        let count = Atomic(0)
        let watchdog = job.cancel(after: .seconds(3600))
        server = try await ChainServer("jobs") { [job, beats] _ in
          if !answering { throw RPCError(code: .unavailable, message: "busy") }
          let isWanted = watchdog.extend(fromNow: .seconds(3600)) && job.isPending
          if count.add(1, ordering: .relaxed).newValue == 3 { beats.complete() }
          return [isWanted ? 1 : 0]
        }
        client = try server.client(in: clients)
      }

      /// Works on the job until something happens.
      func work(
        within limit: Duration = .seconds(3600),
        _ body: @escaping @Sendable () async throws -> String
      ) async throws -> String {
        try await withHeartbeat(every: .milliseconds(1), within: limit) { [client] in
          try await client.work() == [1]
        } of: {
          try await body()
        }
      }

      func end() async {
        await server.end()
        clients.stopToken.cancel()
        await clients.drain()
      }
    }

    @Test func `an activity that is alive comes to its end`() async throws {
      let jobs = try await Jobs()
      let result = try await jobs.work { [beats = jobs.beats] in
        try await beats.value
        return "done"
      }
      #expect(result == "done" && jobs.job.isPending)
      await jobs.end()
    }

    @Test func `an activity that isn't wanted any more is cancelled by the answer to its heartbeat`() async throws {
      let jobs = try await Jobs()
      await #expect(throws: ActivityRevoked.self) {
        try await jobs.work { [jobs] in
          try await jobs.beats.value
          jobs.job.cancel()
          try await Task.sleep(for: .seconds(3600))
          return "done"
        }
      }
      await jobs.end()
    }

    @Test func `an activity whose heartbeats aren't answered is cancelled`() async throws {
      let jobs = try await Jobs(answering: false)
      await #expect(throws: TimeoutError.self) {
        try await jobs.work(within: .milliseconds(50)) {
          try await Task.sleep(for: .seconds(3600))
          return "done"
        }
      }
      await jobs.end()
    }
  }
}
