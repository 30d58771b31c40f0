// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import RaceFreeFutureFoundation
import RaceFreeFutureTesting
import Testing

extension SignalTests {
  @Suite struct ScopeSignalTests {
    init() { UsedSignal.prepare() }

    /// Suspends until a call of `shutDown(on:)` listens: the handler at the token comes after that.
    private func listens(_ scope: Scope) async throws {
      try await eventually("\(scope) listens") { "\(scope.stopToken)".contains("1 handler") }
    }

    @Test func `one signal begins it, and the next ones end the steps`() async throws {
      let scope = Scope(label: "server")
      let activity = scope.beginActivity("stuck")
      let task = Task {
        try await scope.shutDown(
          on: [UsedSignal.signal],
          gracefully: .seconds(1_000_000),
          cancelling: .seconds(1_000_000)
        )
      }
      try await eventually("somebody listens") { !UsedSignal.isAsBefore }
      #expect(scope.stopToken.isPending)
      UsedSignal.send()
      _ = await scope.stopToken.outcome
      #expect(scope.isPending)
      UsedSignal.send()
      _ = await scope.outcome
      #expect(scope.cancellationReason is TimeoutError)
      UsedSignal.send()
      let error = try await #require(throws: DrainError.self) { try await task.value }
      #expect(error.remaining.map(\.kind) == [.activity("stuck")])
      #expect(UsedSignal.isAsBefore)
      activity.end()
    }

    @Test func `a signal ends the step that it comes in, also if the one before ended by itself`() async throws {
      let scope = Scope(label: "server")
      let activity = scope.beginActivity("stuck")
      let task = Task {
        try await scope.shutDown(on: [UsedSignal.signal], gracefully: .zero, cancelling: .seconds(1_000_000))
      }
      try await eventually("somebody listens") { !UsedSignal.isAsBefore }
      UsedSignal.send()
      _ = await scope.outcome
      UsedSignal.send()
      let error = try await #require(throws: DrainError.self) { try await task.value }
      #expect(error.remaining.map(\.kind) == [.activity("stuck")])
      activity.end()
    }

    @Test func `a signal reaches all who listen, and does what it did before when the last has gone`() async throws {
      let scopes = (0..<3).map { Scope(label: "\($0)") }
      let tasks = scopes.map { scope in
        Task {
          try await scope.shutDown(on: [UsedSignal.signal, .kill], gracefully: .seconds(1), cancelling: .seconds(1))
        }
      }
      for scope in scopes { try await listens(scope) }
      // The first one ends by itself, the second with its task.
      scopes[0].stopToken.cancel()
      try await tasks[0].value
      tasks[1].cancel()
      await #expect(throws: CancellationError.self) { try await tasks[1].value }
      #expect(scopes[1].isCancelled)
      let listening = Scope()
      let both = Task {
        try await listening.shutDown(on: [UsedSignal.signal], gracefully: .seconds(1), cancelling: .seconds(1))
      }
      try await listens(listening)
      UsedSignal.send()
      try await eventually("both are told") { listening.isCancelled && scopes[2].isCancelled }
      try await tasks[2].value
      try await both.value
      #expect(UsedSignal.isAsBefore)
    }
  }
}
