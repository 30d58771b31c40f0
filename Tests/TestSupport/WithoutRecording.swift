// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting
package import Testing

/// No race test records an issue.
///
/// For tests that look at reports of races which should fail.
package struct WithoutRecording: SuiteTrait, TestTrait, TestScoping {
  package var isRecursive: Bool { true }

  package func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? { testCase == nil ? nil : self }

  @concurrent package func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    try await RaceFreeFutureTesting.withoutRecording { try await function() }
  }
}

extension Trait where Self == WithoutRecording {
  package static var withoutRecording: Self { WithoutRecording() }
}
