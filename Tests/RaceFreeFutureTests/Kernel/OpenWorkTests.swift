// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting
import TestSupport
import Testing

@testable import RaceFreeFuture

@Suite struct OpenWorkTests {
  @Test func `L11 a wait for one future of a tree ends when all of them are resolved`() async throws {
    let root = Future()
    let first = Future(linkedTo: root)
    let others = (0..<iterations(20_000)).map { _ in Future(linkedTo: root) }
    let waiter = Task {
      await first.drain()
      return others.allSatisfy(\.isCancelled)
    }
    try await eventually("the task waits") { first.openWork?.hasDrains == true }
    await onThread { root.cancel() }
    #expect(await waiter.value)
  }
}
