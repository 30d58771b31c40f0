// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting
package import Testing

/// Two tests at a time, of all that have this trait.
///
/// For exit tests, which start a process each: on a busy machine a crowd of them would make each one slower than the last.
/// A test has it once, from its suite or by itself.
package struct ExitTests: SuiteTrait, TestTrait, TestScoping {
  private static let turns = Turns(atATime: 2)

  package var isRecursive: Bool { true }

  package func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? { testCase == nil ? nil : self }

  @concurrent package func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    try await Self.turns.take { try await function() }
  }
}

extension Trait where Self == ExitTests {
  package static var exitTests: Self { ExitTests() }
}
