// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import Testing

@testable import RaceFreeFutureTesting

@Suite struct ExplorerTests {
  @Test func `A step that doesn't return is named, and nobody waits for it`() async {
    let gate = DispatchSemaphore(value: 0)
    let subject = OrderRun.Subject.steps { $0.actor("a", .init("wait for ever") { gate.wait() }) }
    let patience = Duration.milliseconds(100)
    let explorer = Explorer("a blocking step", .exhaustive, seed: 1, maxSteps: 10, patience: patience, subject)
    let report = await explorer.run()
    #expect(report.failure?.hasPrefix("the step \"wait for ever\" of \"a\" hasn't returned for 0.10 s") == true)
    #expect(report.orders == 0 && !report.passed)
    gate.signal()
  }
}
