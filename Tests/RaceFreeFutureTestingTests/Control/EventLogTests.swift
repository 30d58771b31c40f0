// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting
import TestSupport
import Testing

@Suite struct EventLogTests {
  @Test func `events are kept in order until they are forgotten`() {
    let log = EventLog<Int>()
    for event in 1...3 { log.add(event) }
    #expect(log.events == [1, 2, 3] && log.count == 3)
    log.removeAll()
    #expect(log.events.isEmpty)
  }

  @Test func `a waiter continues with the event that was missing`() async throws {
    for _ in 0..<iterations(200) {
      let log = EventLog<Int>("numbers")
      async let first = log.wait(for: 2, within: .seconds(3_600))
      async let second = log.wait(until: "there is a 3", within: .seconds(3_600)) { $0.contains(3) }
      for event in 1...3 { log.add(event) }
      #expect(try await first.count >= 2)
      #expect(try await second == [1, 2, 3])
    }
  }

  @Test func `at the deadline the error says what was missing and what there was`() async {
    let log = EventLog<Int>("numbers")
    log.add(1)
    let error = await #expect(throws: DeadlineError.self) { try await log.wait(for: 2, within: .milliseconds(1)) }
    #expect(error?.description.hasPrefix("numbers has 2 events: not within ") == true)
    #expect(error?.description.contains("EventLogTests.swift:") == true)
    #expect(error?.state == "numbers: [1]")
  }
}
