// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// Thrown by ``TestReport/verify()``: the report of a race test that didn't pass.
public struct FailedReport: Error, CustomStringConvertible {
  /// The report.
  public let report: any TestReport

  init(_ report: any TestReport) { self.report = report }

  /// The text of the report, on lines of its own.
  public var description: String { "\n\(report)" }
}
