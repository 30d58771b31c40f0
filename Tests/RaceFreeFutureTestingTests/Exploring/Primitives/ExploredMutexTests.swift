// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

private typealias Mutex = Explored.Mutex

@Suite struct ExploredMutexTests {
  /// Ordinary code: each method is right by itself.
  private final class Account: Sendable {
    private let content: Mutex<Int>
    init(_ balance: Int) { content = Mutex(balance) }

    var balance: Int { content.withLock { $0 } }
    func subtract(_ amount: Int) { content.withLock { $0 -= amount } }

    /// Checks, then acts.
    func withdrawInTwo(_ amount: Int) {
      if balance >= amount { subtract(amount) }
    }

    func withdraw(_ amount: Int) {
      content.withLock { if $0 >= amount { $0 -= amount } }
    }
  }

  @Test(.withoutRecording) func `A check and an act in two critical sections are found, without a cut by hand`() async {
    let report = await explore("the balance stays positive") { scenario in
      let account = Account(100)
      for name in ["a", "b"] { scenario.thread(name) { account.withdrawInTwo(80) } }
      scenario.atEnd { account.balance < 0 ? "the balance is \(account.balance)" : nil }
    }
    #expect(report.failure == "the balance is -60", "\(report)")
    #expect(report.description.contains("lock mutex 1"), "\(report)")
  }

  @Test func `In one critical section they pass in all orders`() async {
    let report = await explore("the balance stays positive") { scenario in
      let account = Account(100)
      for name in ["a", "b", "c"] { scenario.thread(name) { account.withdraw(80) } }
      scenario.atEnd { account.balance == 20 ? nil : "the balance is \(account.balance)" }
    }
    #expect(report.passed && report.isComplete, "\(report)")
    #expect(report.orders == 6, "\(report)")
  }

  @Test(.withoutRecording) func `Two locks taken in both orders are a deadlock, with who holds what`() async {
    let report = await explore("transfers") { scenario in
      let one = Mutex(0), other = Mutex(0)
      scenario.thread("a") { one.withLock { _ in other.withLock { $0 += 1 } } }
      scenario.thread("b") { other.withLock { _ in one.withLock { $0 += 1 } } }
    }
    let failure = report.failure ?? ""
    let start = "deadlock: nothing can continue, but \"a\" holds mutex 1 and waits for mutex 2 ("
    #expect(failure.hasPrefix(start), "\(report)")
    #expect(failure.contains("which \"b\" holds, \"b\" holds mutex 2 and waits for mutex 1 ("), "\(report)")
    #expect(failure.hasSuffix("which \"a\" holds"), "\(report)")
    #expect(report.order.map { Set($0) } == Set("01"))
  }

  @Test func `Two locks taken in one order pass`() async {
    let report = await explore("transfers") { scenario in
      let one = Mutex(0), other = Mutex(0)
      for name in ["a", "b"] { scenario.thread(name) { one.withLock { _ in other.withLock { $0 += 1 } } } }
      scenario.atEnd { other.withLock { $0 } == 2 ? nil : "lost" }
    }
    #expect(report.passed && report.isComplete, "\(report)")
  }

  @Test(.withoutRecording) func `A lock that is taken twice by one thread is told`() async {
    let report = await explore("recursion") { scenario in
      let lock = Mutex(0)
      scenario.thread("a") { lock.withLock { _ in lock.withLock { $0 += 1 } } }
    }
    let failure = report.failure ?? ""
    #expect(failure.hasPrefix("\"a\" locks mutex 1 (") && failure.contains("which it holds already"), "\(report)")
  }

  @Test func `A thread that asks whether a lock is free finds it taken in some orders, and free in others`() async {
    let seen = Variable<Set<Bool>>([])
    let report = await explore("both") { scenario in
      let lock = Mutex(0)
      scenario.thread("a") { lock.withLock { $0 += 1 } }
      scenario.thread("b") {
        let wasFree = lock.withLockIfAvailable { _ in true } ?? false
        seen.value.insert(wasFree)
      }
    }
    #expect(report.passed && report.isComplete, "\(report)")
    #expect(seen.value == [true, false])
  }

  @Test(.withoutRecording) func `The order of a report fails in the same way when it is replayed`() async throws {
    let scenario: @Sendable (Scenario) -> Void = { scenario in
      let account = Account(100)
      for name in ["a", "b"] { scenario.thread(name) { account.withdrawInTwo(80) } }
      scenario.atEnd { account.balance < 0 ? "the balance is \(account.balance)" : nil }
    }
    let first = await explore("replay", scenario: scenario)
    let again = await explore("replay", .replay(try #require(first.order)), scenario: scenario)
    #expect(again.failure == first.failure && again.order == first.order, "\(again)")
  }

  @Test(.withoutRecording, arguments: [1, 2, 3] as [UInt64]) func `Priorities find it as well`(seed: UInt64) async {
    let report = await explore("by priorities", .sample(orders: 2_000, seed: seed)) { scenario in
      let account = Account(100)
      for name in ["a", "b"] { scenario.thread(name) { account.withdrawInTwo(80) } }
      scenario.atEnd { account.balance < 0 ? "the balance is \(account.balance)" : nil }
    }
    #expect(report.failure == "the balance is -60", "\(report)")
  }

  @Test func `Locks that have nothing to do with each other make no orders`() async {
    let report = await explore("independent") { scenario in
      for name in ["a", "b", "c"] {
        let lock = Mutex(0)
        scenario.thread(name) { for _ in 0..<3 { lock.withLock { $0 += 1 } } }
      }
    }
    #expect(report.passed && report.isComplete && report.orders == 1, "\(report)")
  }

  @Test(.withoutRecording) func `With an invariant all their orders are run`() async {
    let report = await explore("seen") { scenario in
      let locks = Variable([0, 0])
      for (number, name) in ["a", "b"].enumerated() {
        let lock = Mutex(0)
        scenario.thread(name) { lock.withLock { _ in locks.value[number] += 1 } }
      }
      scenario.invariant { locks.value == [1, 0] ? "a was first" : nil }
    }
    #expect(report.failure == "a was first", "\(report)")
  }

  @Test func `Outside of an exploration it is a mutex`() async {
    let account = Account(1_000)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 { group.addTask { for _ in 0..<100 { account.withdraw(1) } } }
    }
    #expect(account.balance == 200)
    let lock = Mutex(1)
    #expect(lock.withLockIfAvailable { $0 + 1 } == 2)
    #expect(lock.withLock { _ in lock.withLockIfAvailable { $0 } } == nil)
  }

  @Test(.withoutRecording) func `A step that wants what a thread holds is told`() async {
    let report = await explore("a step can't wait") { scenario in
      let lock = Mutex(0)
      scenario.thread("a") { lock.withLock { _ in Explored.switchPoint() } }
      scenario.actor("b", .init("looks") { lock.withLock { $0 } })
    }
    let failure = report.failure ?? ""
    #expect(failure.hasPrefix("the step \"looks\" of \"b\" waits for mutex 1 ("), "\(report)")
    #expect(failure.hasSuffix("which \"a\" holds, and nobody else acts before it is over"), "\(report)")
  }

  @Test(.withoutRecording) func `An error that a thread throws is a failure`() async {
    struct Broken: Error {}
    let report = await explore("throws") { scenario in
      scenario.thread("a") { throw Broken() }
    }
    #expect(report.failure == "\"a\" threw an error: Broken()", "\(report)")
  }
}
