// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting
import TestSupport
import Testing

@testable import RaceFreeFuture

struct ResumptionTests {
  @Test func `under a scheduler, which has one thread, nothing is resumed on another`() throws {
    let log = EventLog<String>()
    try withManualControl { _ in
      Resumption.later { log.add("resumed") }
      #expect(log.events == ["resumed"])
    }
  }
}
