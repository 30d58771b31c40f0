// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting
import TestSupport
import Testing

@Suite struct EventuallyTests {
  @Test func `it goes on when the condition holds`() async throws {
    let asked = EventLog<Void>()
    // However seldom this task gets its turn: it is the asking that counts.
    try await eventually("it was asked 30 times", within: .seconds(3_600)) {
      asked.add(())
      return asked.count == 30
    }
    #expect(asked.count == 30)
  }

  @Test func `at the deadline it says what didn't happen`() async {
    let error = await #expect(throws: DeadlineError.self) {
      try await eventually("pigs fly", within: .milliseconds(1)) { false }
    }
    #expect(error?.description.hasPrefix("pigs fly: not within ") == true)
    #expect(error?.description.contains("EventuallyTests.swift:") == true)
  }

  @Test func `it asks at least once, and throws what the condition throws`() async throws {
    try await eventually("yes", within: .zero) { true }
    await #expect(throws: Reason("no")) { try await eventually("no") { throw Reason("no") } }
  }

  @Test func `a cancelled task doesn't go on asking`() async {
    let task = Task { try await eventually("never") { false } }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test @MainActor func `the condition is asked where the test is`() async throws {
    var isLoaded = false
    Task { @MainActor in isLoaded = true }
    try await eventually("it is loaded", within: .seconds(3_600)) {
      MainActor.assertIsolated()
      return isLoaded
    }
  }
}
