// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import RaceFreeFutureTesting
import Synchronization
import TestSupport
import Testing

@testable import RaceFreeFutureExploring

/// Tests with the trait, which are written as any test; and tests of what it says about others.
@Suite(.serialized) struct ExploredTraitTests {
  fileprivate actor Account {
    private(set) var balance: Int
    init(_ balance: Int) { self.balance = balance }
    func withdraw(_ amount: Int) { balance -= amount }
    func withdrawIfCovered(_ amount: Int) throws {
      guard balance >= amount else { throw Overdrawn() }
      balance -= amount
    }
    /// Checks, lets others in, acts.
    func withdrawAtLeisure(_ amount: Int) async {
      guard balance >= amount else { return }
      await Task.yield()
      balance -= amount
    }
  }

  fileprivate struct Overdrawn: Error {}

  // MARK: Unchanged bodies

  @Suite(.explored) struct Unchanged {
    private let account = Account(100)

    @Test func `An expectation holds in every order`() async {
      async let one: Void = account.withdraw(10)
      async let two: Void = account.withdraw(20)
      _ = await (one, two)
      #expect(await account.balance == 70)
    }

    @Test(arguments: [1, 2], ["a", "b"]) func `Each case is explored`(number: Int, word: String) async throws {
      async let one: Void = account.withdrawIfCovered(number)
      async let two: Void = account.withdrawIfCovered(number)
      _ = try await (one, two)
      let balance = try #require(await Optional(account.balance))
      #expect(balance == 100 - 2 * number)
    }

    @Test func `What throws as expected is no failure`() async {
      let one = Task { await account.withdraw(80) }
      await #expect(throws: Overdrawn.self) {
        await one.value
        try await account.withdrawIfCovered(80)
      }
    }

    @Test @MainActor func `A test of the main actor has the main actor`() async {
      var value = 0
      let one = Task { @MainActor in value += 1 }
      let two = Task { @MainActor in value += 2 }
      _ = await (one.value, two.value)
      MainActor.assertIsolated()
      #expect(value == 3)
    }

    @Test func `A detached task is part of each order`() async {
      let one = Task.detached { [account] in await account.withdraw(10) }
      await account.withdraw(20)
      await one.value
      #expect(await account.balance == 70)
    }
  }

  @Test(.explored, .explorerTurn, .bound)
  func `A trait behind it is in each order, and other turns are the same`() async {
    async let one = Bound.value
    let value = await one
    #expect(value == 7)
  }

  // MARK: Failures

  @Test(.failing("the balance is -60", lines: ["│ async let", ".replay("]), .explored)
  func `An expectation that fails in some order is one issue, with the order`() async {
    let account = Account(100)
    async let one: Void = account.withdrawAtLeisure(80)
    async let two: Void = account.withdrawAtLeisure(80)
    _ = await (one, two)
    let balance = await account.balance
    #expect(balance >= 0, "the balance is \(balance)")
  }

  @Test(.failing("FAILED"), .explored) func `A requirement that fails in some order is one issue`() async throws {
    let account = Account(100)
    async let one: Void = account.withdraw(80)
    let seen = await account.balance
    _ = try #require(seen == 100 ? seen : nil, "it was faster")
    await one
  }

  @Test(.failing("an error was expected but none was thrown"), .explored)
  func `An error that isn't thrown in some order is one issue`() async {
    let account = Account(100)
    let one = Task { await account.withdraw(80) }
    await #expect(throws: Overdrawn.self) { try await account.withdrawIfCovered(80) }
    await one.value
  }

  @Test(.failing("most.value → 2"), .explored)
  func `A queue whose callers wait for the same upload is found out`() async {
    actor Queue {
      private var last: Task<Void, Never>?

      func add(_ upload: @escaping @Sendable () async -> Void) async -> Task<Void, Never> {
        await last?.value
        let task = Task { await upload() }
        last = task
        return task
      }
    }
    let (queue, running, most) = (Queue(), Variable(0), Variable(0))
    await withTaskGroup { group in
      for _ in 0..<3 {
        group.addTask {
          await queue.add {
            running.value += 1
            most.value = max(most.value, running.value)
            await Task.yield()
            running.value -= 1
          }.value
        }
      }
    }
    #expect(most.value == 1)
  }

  @Test(.failing("the body threw an error: Overdrawn()"), .explored)
  func `An error that is thrown in some order is one issue`() async throws {
    let account = Account(100)
    async let one: Void = account.withdraw(80)
    try await account.withdrawIfCovered(80)
    await one
  }

  @Test(.failing("deadlock: nothing can continue"), .explored) func `An order that hangs is one issue`() async {
    let gate = AsyncGate()
    async let waits: Void = gate.naiveWait()
    gate.open()
    await waits
  }

  @Test(.failing("a case (2)"), .explored, arguments: [2]) func `a case`(number: Int) async {
    let account = Account(100)
    async let one: Void = account.withdraw(80)
    #expect(await account.balance == 100)
    await one
  }

  // MARK: Searches

  @Suite(.explored(.sample(orders: 3, seed: 1))) struct Inner {
    static let count = Mutex(0)

    @Test(.explored(.once)) func `The trait of the test counts`() async {
      async let one: Void = Task.yield()
      await one
      let count = Self.count.withLock { count in
        count += 1
        return count
      }
      #expect(count == 1)
    }
  }

  // MARK: No conclusion

  /// Runs a body as a test with the trait, and returns what is recorded, and how often the test ran without it.
  private func recorded(
    _ search: Search,
    _ body: ExploredTrait.Body?
  ) async throws -> (issues: [(text: String, isError: Bool)], runs: Int) {
    let (test, testCase) = (try #require(Test.current), try #require(Test.Case.current))
    let runs = Locked(0)
    let issues = try await recordedIssues {
      try await ExploredTrait(search: search).explore(test, testCase, body) { runs.withLock { $0 += 1 } }
    }
    let texts = issues.map { ("\($0)".replacing("\n", with: " "), $0.severity == .error) }
    return (texts, runs.withLock(\.self))
  }

  @Test func `A test in which nothing can vary is inconclusive, unless one order is wanted`() async throws {
    let body: ExploredTrait.Body = { await Account(1).withdraw(1) }
    let all = try await recorded(.exhaustive, body)
    #expect(all.issues.count == 1 && all.issues.first?.isError == false && all.runs == 0)
    #expect(all.issues.first?.text.contains("Nothing in it could vary") == true, "\(all)")
    let one = try await recorded(.once, body)
    #expect(one.issues.isEmpty && one.runs == 0, "\(one)")
  }

  @Test func `A test whose body isn't found fails, and says why`() async throws {
    #expect(ExploredTrait.body(of: (function: {}, name: "body")) == nil)
    let (issues, runs) = try await recorded(.exhaustive, nil)
    #expect(issues.count == 1 && issues.first?.isError == true && runs == 1)
    #expect(issues.first?.text.contains("this version of Swift Testing isn't known") == true, "\(issues)")
  }

  @Test(arguments: [7]) func `This version of Swift Testing is known`(number: Int) throws {
    let testCase = try #require(Test.Case.current)
    #expect(ExploredTrait.body(of: testCase) != nil)
    #expect(ExploredTrait.arguments(of: testCase) == " (7)")
  }
}

/// The value that a trait binds for a test.
private struct Bound: TestTrait, TestScoping {
  @TaskLocal static var value = 0

  @concurrent func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    try await Self.$value.withValue(7) { try await function() }
  }
}

extension Trait where Self == Bound {
  fileprivate static var bound: Self { Bound() }
}

/// A test that has one issue: an error with this text, and these parts of a diagram.
private struct Failing: TestTrait, TestScoping {
  let text: String
  let lines: [String]

  @concurrent func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    let issues = try await recordedIssues(function)
    #expect(issues.count == 1 && issues.first?.severity == .error)
    let found = issues.map { "\($0)" }
    #expect(([text] + lines).allSatisfy { found.first?.contains($0) == true }, "\(found)")
  }
}

extension Trait where Self == Failing {
  fileprivate static func failing(_ text: String, lines: [String] = []) -> Self { Failing(text: text, lines: lines) }
}
