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
      try await ExplorerTurn.runCase {
        other.value = Task.detached { await explored("other") }
        left.value = Task {
          await isOver.passed()
          await explored("left behind")
        }
        await explored("first")
        async let one: Void = explored("second")
        async let two: Void = explored("second")
        _ = await (one, two)
      }
    }
    isOver.open()
    await other.value?.value
    await left.value?.value
    #expect(log.events.prefix(3) == ["first", "second", "second"])
    #expect(Set(log.events.dropFirst(3)) == ["other", "left behind"])
  }

  @Test func `A test of which no case begins doesn't keep those waiting for whom it may wait`() async throws {
    try await ExplorerTurn.hold {
      let other = Task.detached { await explore("other") { $0.actor("a", .init("steps") {}) } }
      #expect(await other.value.passed)
      let own = await explore("own") { $0.actor("a", .init("steps") {}) }
      #expect(own.passed)
    }
  }

  @Test func `A test that fails gives its turn back`() async {
    await #expect(throws: CancellationError.self) { try await ExplorerTurn.hold { throw CancellationError() } }
    let report = await explore("next") { scenario in scenario.actor("a", .init("steps") {}) }
    #expect(report.passed)
  }

  @Test(.explorerTurn, arguments: 1...3)
  func `A test with the trait explores`(_ number: Int) async {
    let report = await explore("\(number)") { $0.actor("a", .init("steps") {}) }
    #expect(report.passed)
  }
}
