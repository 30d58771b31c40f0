// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting
import Synchronization
import TestSupport
import Testing

@Suite struct LinearizabilityStressTests {
  // MARK: Objects that are right

  @Test func `an atomic counter passes`() async throws {
    let report = await linearizabilityStress(
      "AtomicCounter",
      histories: iterations(3_000),
      make: { AtomicCounter() },
      model: 0,
      operations: [
        .init("increment()", { $0.increment() }, model: { $0 += 1; return $0 }),
        .init("value", { $0.value }, model: { $0 }),
      ]
    )
    print(report)
    try report.verify()
  }

  // MARK: Seeded faults

  @Test func `a counter that loads and then stores is found`() async throws {
    let report = await linearizabilityStress(
      "LoadThenStoreCounter",
      histories: 20_000,
      make: { LoadThenStoreCounter() },
      model: 0,
      operations: [
        .init("increment()", { $0.increment() }, model: { $0 += 1; return $0 }),
        .init("value", { $0.value }, model: { $0 }),
      ]
    )
    print(report)
    #expect(!report.passed)
  }
}
