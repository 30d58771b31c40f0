// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import RaceFreeFutureTesting
import Synchronization
import TestSupport
import Testing

/// What a green exploration has to have tried: otherwise it is inconclusive.
///
/// One at a time, as a process explores anyway: tests that wait for that turn would keep others from running.
@Suite(.serialized) struct ConclusionTests {
  /// An account with a real lock, and a gap between a check and the act.
  private final class Account: Sendable {
    let balance = Mutex(100)
    func withdraw(_ amount: Int) {
      if balance.withLock({ $0 >= amount }) { balance.withLock { $0 -= amount } }
    }
  }

  private actor Bystander {
    private var calls = 0
    func call() { calls += 1 }
  }

  private final class Shared: Sendable {
    let value = Explored.Atomic(0)
  }

  @Test(.withoutRecording, arguments: ["an actor", "the main actor"])
  func `Two tasks that nobody could interrupt show nothing, whatever else has points`(kind: String) async {
    let report = await exploreTasks(kind) { scenario in
      let account = Account()
      if kind == "an actor" { await Bystander().call() } else { await MainActor.run {} }
      async let one: Void = account.withdraw(80)
      async let two: Void = account.withdraw(80)
      _ = await (one, two)
      scenario.check(account.balance.withLock { $0 } >= 0, "overdrawn")
    }
    #expect(report.verdict == .inconclusive && !report.hasPoints, "\(report)")
    #expect(report.description.contains("\"async let\", \"async let #2\": each ran"), "\(report)")
  }

  @Test(.withoutRecording, arguments: [false, true])
  func `A thread that uses nothing explored shows nothing, whatever others use`(isStep: Bool) async {
    let report = await explore("threads") { scenario in
      let account = Account()
      let atomic = Explored.Atomic(0)
      scenario.thread("a") {
        account.withdraw(80)
        if !isStep { atomic.wrappingAdd(1, ordering: .relaxed) }
      }
      scenario.thread("b") { account.withdraw(80) }
      if isStep { scenario.actor("c", .init("nothing") {}) }
    }
    #expect(report.verdict == .inconclusive && report.description.contains("\"b\""), "\(report)")
  }

  @Test func `Tasks that take turns at an actor are never alone`() async {
    let report = await exploreTasks("two calls") { _ in
      let bystander = Bystander()
      async let one: Void = bystander.call()
      async let two: Void = bystander.call()
      _ = await (one, two)
    }
    #expect(report.passed && report.isComplete, "\(report)")
  }

  @Test(.withoutRecording) func `A time that is up at once shows nothing`() async {
    for (search, verdict) in [
      (Search.exhaustive(for: .zero), TestVerdict.inconclusive), (.exhaustive(maxOrders: 1), .passed),
      (.sample(orders: 1_000, for: .zero), .inconclusive), (.sample(orders: 1), .passed),
    ] {
      let report = await exploreTasks("two calls", search) { _ in
        let bystander = Bystander()
        async let one: Void = bystander.call()
        async let two: Void = bystander.call()
        _ = await (one, two)
      }
      #expect(report.verdict == verdict, "\(report)")
    }
  }

  @Test func `A quarter of the orders of a large program is drawn at random, and there are no more than wanted`() async
  {
    let report = await explore("large", .exhaustive(maxOrders: 200, seed: 1)) { scenario in
      let (one, two) = (Shared(), Shared())
      for name in 0..<3 {
        scenario.thread("\(name)") {
          for shared in [one, two, one] { shared.value.wrappingAdd(1, ordering: .sequentiallyConsistent) }
        }
      }
    }
    #expect(report.passed && report.orders == 200, "\(report)")
    #expect(report.description.replacing("\n", with: " ").contains("50 at random"), "\(report)")
  }

  @Test func `What the rules leave out is named`() async {
    let stale = await explore("stale") { scenario in
      let data = Explored.Atomic(0)
      let isReady = Explored.Atomic(false)
      scenario.thread("writer") {
        data.store(1, ordering: .relaxed)
        isReady.store(true, ordering: .relaxed)
      }
      scenario.thread("reader") { for _ in 0..<3 { _ = data.load(ordering: .relaxed) } }
    }
    #expect(stale.passed && stale.isComplete, "\(stale)")
    #expect(
      stale.description.replacing("\n", with: " ").contains(
        "all in which no thread reads the same old value more than 2 times in a row"
      ),
      "\(stale)"
    )
    let awaits = await explore("tasks") { scenario in
      let bystander = Bystander()
      for name in ["a", "b"] { scenario.actor(name) { _ in await bystander.call() } }
    }
    #expect(awaits.description.contains("tasks are interrupted only where they suspend"), "\(awaits)")
  }

  // MARK: Issues

  @Test func `An expectation that fails in an order fails the order, once, and is the test's`() async throws {
    let issues = try await recordedIssues {
      for kind in ["tasks", "threads"] {
        let runs = Locked(0)
        let report: Exploration
        if kind == "tasks" {
          report = await exploreTasks(kind) { _ in
            let value = Locked(0)
            async let one: Void = value.withLock { $0 += 1 }
            let seen = value.withLock(\.self)
            runs.withLock { $0 += 1 }
            #expect(seen == 0, "the child was faster")
            await one
          }
        } else {
          report = await explore(kind) { scenario in
            let value = Explored.Atomic(0)
            scenario.thread("a") { value.store(1, ordering: .relaxed) }
            scenario.thread("b") { #expect(value.load(ordering: .relaxed) == 0, "the child was faster") }
          }
        }
        #expect(report.failure?.contains("the child was faster") == true, "\(report)")
      }
    }
    #expect(issues.count { $0.severity == .error && "\($0)".contains("FAILED") } == 2, "\(issues)")
  }

  // In a process of its own: the test library hands an issue of a step, which goes on, to all tests that run.
  @Test(.exitTests) func `An expectation that fails in a step fails the order`() async {
    await #expect(processExitsWith: .success) {
      let report = await withoutRecording {
        await explore("steps") { scenario in
          let value = Locked(0)
          scenario.actor("a", .init("sets") { value.withLock { $0 = 1 } })
          scenario.actor("b", .init("looks") { #expect(value.withLock(\.self) == 0, "a was faster") })
        }
      }
      precondition(report.failure?.contains("a was faster") == true, "\(report)")
    }
  }

  @Test func `An expectation that holds changes nothing`() async {
    let report = await exploreTasks("two calls") { _ in
      let bystander = Bystander()
      async let one: Void = bystander.call()
      await bystander.call()
      #expect(Bool(true))
      await one
    }
    #expect(report.passed && report.isComplete, "\(report)")
  }
}
