// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

/// The recipe of the guide Values and failures.
@Suite struct PartialResultsTests {
  @Test func `at the deadline what has come is there, and the rest is cancelled`() async throws {
    try await withManualControl { control in
      let servers = (0..<4).map { ValueFuture<String>(label: "\($0)") }
      let task = Task { try await answers(from: servers, within: .seconds(2)) }
      try await control.clock.timersSet(atLeast: 4)
      servers[2].complete(with: "quick")
      servers[1].complete(throwing: Reason("broken"))
      control.clock.advance(by: .seconds(1))
      servers[0].complete(with: "slow")
      control.clock.advance(by: .seconds(1))
      #expect(try await task.value == ["slow", "quick"])
      #expect(servers[3].cancellationReason is TimeoutError && control.clock.timers.isEmpty)
    }
  }
}
