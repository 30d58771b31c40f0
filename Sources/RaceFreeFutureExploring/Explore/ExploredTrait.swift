// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import RaceFreeFutureTestingTools

#if canImport(Testing)
  public import Testing
#endif

/// A trait of tests whose unchanged body runs in every order, as that of
/// ``exploreTasks(_:_:fileID:filePath:line:column:body:)`` does.
///
/// ```swift
/// @Suite(.explored) struct AccountTests {
///   @Test func `two withdrawals don't overdraw the account`() async {
///     let account = Account(balance: 100)
///     async let first: Void = account.withdraw(80)
///     async let second: Void = account.withdraw(80)
///     _ = await (first, second)
///     #expect(await account.balance >= 0)
///   }
/// }
/// ```
///
/// An order fails if an expectation fails in it, if the body throws, or as `exploreTasks` says. Then the test has one issue,
/// with the order. Each case of a test with arguments is explored by itself; of several such traits the last counts, that
/// of the test. The suite's `init` and `deinit` are part of each order, as are the traits that stand behind this one.
/// Those before it, and the time limit, are around all orders together; the wait for other explorations isn't part of
/// the limit (``ExplorerTurn``).
///
/// A test in which nothing can vary, because one task at a time can continue, is inconclusive: the test gets a warning. With
/// `.explored(.once)` it isn't, because nothing else was wanted.
///
/// Not seen by the explorer: an expectation in a detached task, which inherits nothing. It is an issue by itself. In the
/// body, `Test.current` is nil.
public struct ExploredTrait: Sendable {
  let search: Search
}

#if canImport(Testing)
  extension ExploredTrait: TestTrait, SuiteTrait, TestScoping {
    /// True: each test of a suite is explored.
    public var isRecursive: Bool { true }

    /// Returns the trait for a test as a whole, for which it waits for the explorer, and for its cases.
    public func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? { test.isSuite ? nil : self }

    /// Waits for the explorer, or explores a case of a test.
    @concurrent public func provideScope(
      for test: Test,
      testCase: Test.Case?,
      performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
      guard let testCase else { return try await ExplorerTurn.hold(function) }
      try await ExplorerTurn.runCase {
        try await explore(test, testCase, Self.body(of: testCase), or: function)
      }
    }

    typealias Body = @Sendable @concurrent () async throws -> Void

    /// Explores a body; runs a function instead if it wasn't found, or can't be explored with this toolchain.
    func explore(
      _ test: Test,
      _ testCase: Test.Case,
      _ body: Body?,
      or function: @Sendable @concurrent () async throws -> Void
    ) async throws {
      let search = test.traits.lazy.compactMap { $0 as? Self }.last?.search ?? search
      let name = (test.displayName ?? title(test.name)) + Self.arguments(of: testCase)
      let scoped = body.map { Self.scoped($0, test, testCase) }
      let explorer = Explorer(name, search, isOfTest: true, .body { _ in try await scoped?() })
      let report = scoped == nil ? explorer.unknownTestReport : await explorer.run()
      report.record(inconclusiveIsError: scoped == nil, at: CallSite(test.sourceLocation))
      if report.orders == 0 { try await function() }
    }

    /// Returns a body in the scopes of the traits behind the first of these.
    private static func scoped(_ body: @escaping Body, _ test: Test, _ testCase: Test.Case) -> Body {
      test.traits.drop { !($0 is Self) }.filter { !($0 is Self) }.reversed().reduce(body) { body, trait in
        guard let provider = trait.scopeProvider(for: test, testCase: testCase) else { return body }
        return { try await provider.provideScope(for: test, testCase: testCase, performing: body) }
      }
    }

    /// Returns the body that Swift Testing keeps in a case of a test; nil if it keeps it elsewhere.
    ///
    /// What it passes to a trait mustn't escape, and the tasks of an order that hangs keep their closures forever.
    static func body(of testCase: Any) -> Body? {
      Mirror(reflecting: testCase).children.first { $0.label == "body" }?.value as? Body
    }

    /// Returns the arguments of a case in parentheses, as far as they are found.
    static func arguments(of testCase: Any) -> String {
      var values: [String] = []
      func look(at value: Any, _ depth: Int) {
        for child in Mirror(reflecting: value).children where depth > 0 {
          if child.label == "value" { values.append("\(child.value)") } else { look(at: child.value, depth - 1) }
        }
      }
      for child in Mirror(reflecting: testCase).children where child.label != "body" { look(at: child.value, 4) }
      return values.isEmpty ? "" : " (\(values.joined(separator: ", ").onOneLine))"
    }
  }

  extension Trait where Self == ExploredTrait {
    /// Runs the unchanged body of a test in every order, or that of each test of a suite.
    public static var explored: Self { explored(.exhaustive) }

    /// Runs the unchanged body of a test in many orders, or in one, or that of each test of a suite.
    ///
    /// - Parameter search: The orders to run, and the limits.
    /// - Returns: The trait.
    public static func explored(_ search: Search) -> Self { ExploredTrait(search: search) }
  }
#endif
