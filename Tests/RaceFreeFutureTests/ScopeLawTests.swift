// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

/// The numbered guarantees of scopes.
@Suite struct ScopeLawTests {
  // MARK: L12 Drained

  @Test func `L12 when drain returns, everything that was in the scope has ended`() async {
    let scope = Scope(label: "scope")
    let log = EventLog<String>()
    let gates = (work: Gate("work"), handler: Gate("handler"), cleanUp: Gate("clean-up"), started: Gate("started"))
    scope.addTask {
      gates.started.open()
      await gates.work.passed()
      log.add("ended")
    }
    scope.onCancel {
      gates.handler.wait()
      log.add("ended")
    }
    let inside = Scope(in: scope)
    inside.onCancelTask { _ in
      await gates.cleanUp.passed()
      log.add("ended")
    }
    let activity = inside.beginActivity("farewell")
    await gates.started.passed()
    scope.cancel()
    let drained = Task {
      await scope.drain()
      log.add("drained")
    }
    for gate in [gates.work, gates.handler, gates.cleanUp] { gate.open() }
    log.add("ended")
    activity.end()
    await drained.value
    #expect(log.events == ["ended", "ended", "ended", "ended", "drained"])
  }

  // MARK: L13 Named

  @Test func `L13 when drain is late, it names each thing that has not ended`() async throws {
    let scope = Scope(label: "scope")
    let inside = Scope(in: scope, label: "inside")
    let future = Future(label: "pending")
    scope.add(future)
    let activity = inside.beginActivity("farewell")
    let error = try await #require(throws: DrainError.self) { try await scope.drain(within: .zero) }
    #expect(error.remaining.map(\.kind) == [.pending, .activity("farewell")])
    #expect(error.remaining.map(\.origin.label) == ["pending", "inside"])
    future.complete()
    activity.end()
    try await scope.drain(within: .zero)
  }
}
