// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFutureTesting
import TestSupport
import Testing

@testable import RaceFreeFutureExploring

@Suite struct ExplorerTests {
  @Test func `A step that doesn't return is named, and nobody waits for it`() async {
    let gate = DispatchSemaphore(value: 0)
    let subject = OrderRun.Subject.steps { $0.actor("a", .init("wait for ever") { gate.wait() }) }
    let patience = Duration.seconds(2)
    let explorer = Explorer("a blocking step", .exhaustive(maxSteps: 10, seed: 1), patience: patience, subject)
    let report = await explorer.run()
    #expect(report.failure?.hasPrefix("the step \"wait for ever\" of \"a\" hasn't returned for 2.00 s") == true)
    #expect(report.orders == 1 && !report.passed)
    #expect(report.description.contains("FAILED: order 1, in which the explorer gave up waiting"), "\(report)")
    gate.signal()
  }

  @Test func `A report of a step that doesn't return says how many orders were run`() async {
    let (gate, orders) = (DispatchSemaphore(value: 0), Variable(0))
    let subject = OrderRun.Subject.steps { scenario in
      orders.value += 1
      let isThird = orders.value == 3
      for name in ["a", "b", "c"] { scenario.actor(name, .init("go") { if isThird { gate.wait() } }) }
    }
    let patience = Duration.seconds(2)
    let explorer = Explorer("the third one", .exhaustive(maxSteps: 10, seed: 1), patience: patience, subject)
    let report = await explorer.run()
    #expect(report.orders == 3 && report.failure?.contains("hasn't returned") == true, "\(report)")
    for _ in 0..<3 { gate.signal() }
  }

  @Test(.withoutRecording)
  func `A lock that a step can't wait for ends the exploration, and the report counts its orders`() async {
    let orders = Variable(0)
    let report = await explore("the second one") { scenario in
      orders.value += 1
      let (isSecond, semaphore) = (orders.value == 2, Explored.Semaphore(value: 0))
      scenario.actor("one", .init("go") {})
      scenario.actor("other", .init("wait") { if isSecond { semaphore.wait() } })
    }
    #expect(report.orders == 2 && report.description.contains("FAILED: order 2, in the step"), "\(report)")
  }

  @Test func `Only a step that doesn't return is too long, not what the explorer does between two orders`() {
    var watch = OrderWatch()
    func isStuck(after steps: Int, isInOrder: Bool = true) -> Bool {
      watch.isStuck(after: steps, isInOrder: isInOrder)
    }
    // A long release of what the search has kept.
    for _ in 0..<100 { #expect(!isStuck(after: 7, isInOrder: false)) }
    // Steps that end.
    for step in 7..<100 { #expect(!isStuck(after: step)) }
    for check in 1...OrderWatch.mostChecks { #expect(isStuck(after: 99) == (check == OrderWatch.mostChecks)) }
    #expect(!isStuck(after: 99, isInOrder: false))
  }
}
