// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting
import TestSupport
import Testing

@testable import RaceFreeFuture

@Suite struct ScopeShuttingDownTests {
  @Test func `work that ends when it is asked to is not cancelled`() async throws {
    let scope = Scope()
    let future = Future()
    scope.add(future)
    scope.stopToken.onCancel { future.complete() }
    try await scope.shutDown(gracefully: .seconds(1_000_000), cancelling: .seconds(1_000_000))
    #expect(future.isCompleted && scope.isCancelled && scope.cancellationReason is CancellationError)
  }

  @Test func `each step has its time, and the last one names what is stuck`() async throws {
    try await withManualControl { control in
      let scope = Scope(label: "server")
      let future = Future(label: "request")
      scope.add(future)
      let activity = scope.beginActivity("stuck")
      let task = Task { try await scope.shutDown(gracefully: .seconds(10), cancelling: .seconds(5)) }
      try await control.clock.timersSet()
      #expect(scope.stopToken.isCancelled && scope.isPending)
      control.clock.advance(by: .seconds(10))
      // The next step. The scope's outcome is seen a moment before its members follow.
      _ = await future.outcome
      let error = try #require(scope.cancellationReason as? TimeoutError)
      #expect(error.interval == .seconds(10) && error.label == "stopping server" && future.isCancelled)
      try await control.clock.timersSet()
      control.clock.advance(by: .seconds(5))
      let late = try await #require(throws: DrainError.self) { try await task.value }
      #expect(late.interval == .seconds(5) && late.remaining.map(\.kind) == [.activity("stuck")])
      activity.end()
    }
  }

  @Test func `a member that shuts down its own scope is told so, and nothing is stopped`() async throws {
    let scope = Scope(label: "server")
    let other = Future(label: "other")
    scope.add(other)
    let worker = scope.addTask(name: "worker") {
      try await scope.shutDown(gracefully: .seconds(1_000_000), cancelling: .seconds(1_000_000))
    }
    let error = try await #require(throws: DrainError.self) { try await worker.value }
    #expect(
      error.remaining.map(\.kind) == [.cycle] && "\(error)".contains("worker waits for server, which waits for it")
    )
    #expect("\(error)".hasPrefix("server can't end while its own work waits: 1 thing remains\n"))
    #expect(scope.stopToken.isPending && scope.isPending && other.isPending)
    other.complete()
    await scope.drain()
  }

  @Test func `without time to stop it is cancelled at once`() async throws {
    let scope = Scope()
    let future = Future()
    scope.add(future)
    try await scope.shutDown(gracefully: .zero, cancelling: .seconds(1_000_000))
    #expect(scope.isCancelled && future.isCancelled)
  }

  @Test func `what is added after the stop is waited for, and cancelled after the cancellation`() async throws {
    let scope = Scope()
    let late = Future()
    scope.stopToken.onCancel(on: .inline) { scope.add(late) }
    let task = Task { try await scope.shutDown(gracefully: .seconds(1_000_000), cancelling: .seconds(1_000_000)) }
    _ = await scope.stopToken.outcome
    late.complete()
    try await task.value
    let tooLate = Future()
    scope.add(tooLate)
    #expect(late.isCompleted && tooLate.isCancelled)
  }

  @Test func `if its task is cancelled the scope is, and nobody waits any more`() async {
    let scope = Scope()
    let activity = scope.beginActivity("stuck")
    let task = Task { try await scope.shutDown(gracefully: .seconds(1_000_000), cancelling: .seconds(1_000_000)) }
    _ = await scope.stopToken.outcome
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(scope.isCancelled)
    activity.end()
  }

  @Test func `cancelling a scope is a stop, too`() {
    let scope = Scope()
    scope.cancel(throwing: Reason("over"))
    #expect(reason(scope.stopToken.cancellationReason) == Reason("over"))
  }
}
