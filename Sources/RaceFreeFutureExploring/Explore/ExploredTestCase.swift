// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if canImport(XCTest)
  internal import RaceFreeFutureTestingTools
  public import XCTest

  /// A test case of XCTest that runs the unchanged bodies of its tests in every order.
  ///
  /// ```swift
  /// final class AccountTests: ExploredTestCase {
  ///   func testTwoWithdrawals() async throws {
  ///     try await explored {
  ///       let account = Account(balance: 100)
  ///       async let first: Void = account.withdraw(80)
  ///       async let second: Void = account.withdraw(80)
  ///       _ = await (first, second)
  ///       let balance = await account.balance
  ///       XCTAssertGreaterThanOrEqual(balance, 0)
  ///     }
  ///   }
  /// }
  /// ```
  ///
  /// For tests of Swift Testing there is a trait, ``ExploredTrait``.
  open class ExploredTestCase: XCTestCase {
    /// Runs code in every order, as ``exploreTasks(_:_:fileID:filePath:line:column:body:)`` does.
    ///
    /// An assertion that fails fails its order, and the test has one failure: the report. If the exploration is inconclusive,
    /// also because nothing in the code can vary, the test is skipped, with the report as the reason: XCTest knows no
    /// warnings.
    ///
    /// - Parameters:
    ///   - search: The orders to run, and the limits.
    ///   - name: The property that should hold, in a few words; by default the name of the function.
    ///   - body: The code of the test. It must do the same each time.
    /// - Throws: `XCTSkip` if the exploration is inconclusive.
    public func explored(
      _ search: Search = .exhaustive,
      name: String = #function,
      fileID: StaticString = #fileID,
      filePath: StaticString = #filePath,
      line: Int = #line,
      column: Int = #column,
      body: @escaping @concurrent () async throws -> Void
    ) async throws {
      // The caller waits while the orders run, one after the other.
      let shared = OneThread(body)
      let report = await Explorer(title(name), search, isOfTest: true, .body { _ in try await shared.value() }).run()
      if report.orders == 0 { try await body() }
      if report.verdict == .inconclusive { throw XCTSkip(report.description, file: filePath, line: UInt(line)) }
      report.record(at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
    }

    #if canImport(Darwin)
      /// Fails the running order, or the test.
      open override func record(_ issue: XCTIssue) {
        if let run = ExploredPlace.current?.run { return run.fails(byIssue: issue.compactDescription) }
        super.record(issue)
      }
    #else
      /// Fails the running order, or the test.
      open override func recordFailure(
        withDescription description: String,
        inFile filePath: String,
        atLine lineNumber: Int,
        expected: Bool
      ) {
        if let run = ExploredPlace.current?.run {
          return run.fails(byIssue: "\(description) (\(filePath):\(lineNumber))")
        }
        super.recordFailure(withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected)
      }
    #endif
  }
#endif
