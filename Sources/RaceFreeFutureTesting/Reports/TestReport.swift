// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// What a race test found out.
///
/// The tools of this module return a report and fail nothing themselves, so that they serve every testing library. Ask
/// for failure with ``verify()``, whose error any of them prints:
///
/// ```swift
/// try await race("complete against cancel", …).verify()
/// ```
public protocol TestReport: Sendable, CustomStringConvertible {
  /// Whether nothing wrong was found, and enough was looked at to say so.
  var passed: Bool { get }
}

extension TestReport {
  /// Throws the report if the test didn't pass.
  ///
  /// - Throws: ``FailedReport``, which describes itself with the text of the whole report.
  public func verify() throws {
    if !passed { throw FailedReport(self) }
  }
}
