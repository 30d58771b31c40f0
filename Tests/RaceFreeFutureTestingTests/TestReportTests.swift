// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting
import Testing

@Suite struct TestReportTests {
  private struct Report: TestReport {
    let passed: Bool
    let description = "the table"
  }

  @Test func `A report that passed verifies silently`() throws {
    try Report(passed: true).verify()
  }

  @Test func `A report that failed is thrown, and prints itself`() {
    let error = #expect(throws: FailedReport.self) { try Report(passed: false).verify() }
    #expect(error?.description == "\nthe table")
  }
}
