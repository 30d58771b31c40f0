// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
package import Testing

/// Runs a closure of a test, and returns the issues that it records, which go no further: neither into the log nor into the
/// verdict.
///
/// For tests of what records issues. A known issue would stand in the log of a run that has passed.
package func recordedIssues(_ body: @Sendable () async throws -> Void) async throws -> [Issue] {
  let test = try #require(Test.current, "there is a test around it")
  let issues = Locked<[Issue]>([])
  let keeping: IssueHandlingTrait = .compactMapIssues { issue in
    // An issue that is recorded outside of tasks is handed to each test that runs, and to the log.
    if Test.current?.id == test.id { issues.withLock { $0.append(issue) } }
    return nil
  }
  try await keeping.provideScope(for: test, testCase: Test.Case.current) { try await body() }
  return issues.withLock { $0 }
}
