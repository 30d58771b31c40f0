// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting
import TestSupport
import Testing

@testable import RaceFreeFutureExploring

@Suite struct ExplorerTurnTests {
  @Test func `Who has the turn explores as often as it wants, and another one waits until it is over`() async throws {
    let log = EventLog<String>()
    let explored: @Sendable (String) async -> Void = { name in
      await explore(name) { scenario in scenario.actor("a", .init("steps") { log.add(name) }) }
    }
    let (other, left) = (Variable<Task<Void, Never>?>(nil), Variable<Task<Void, Never>?>(nil))
    let isOver = Gate("over")
    try await ExplorerTurn.hold {
      other.value = Task.detached { await explored("other") }
      left.value = Task {
        await isOver.passed()
        await explored("left behind")
      }
      await explored("first")
      async let one: Void = explored("second")
      async let two: Void = explored("second")
      _ = await (one, two)
      try await ExplorerTurn.hold { await explored("third") }
    }
    isOver.open()
    await other.value?.value
    await left.value?.value
    #expect(log.events.prefix(4) == ["first", "second", "second", "third"])
    #expect(Set(log.events.dropFirst(4)) == ["other", "left behind"])
  }

  @Test func `A test that fails gives its turn back`() async {
    await #expect(throws: CancellationError.self) { try await ExplorerTurn.hold { throw CancellationError() } }
    let report = await explore("next") { scenario in scenario.actor("a", .init("steps") {}) }
    #expect(report.passed)
  }

  @Test(.explorerTurn) func `The turn is taken for the test as a whole, outside of its time limit`() throws {
    let test = try #require(Test.current)
    #expect(ExplorerTurn().scopeProvider(for: test, testCase: nil) != nil)
    #expect(ExplorerTurn().scopeProvider(for: test, testCase: Test.Case.current) == nil)
    #expect(ExplorerTurn.isHeld)
  }
}
