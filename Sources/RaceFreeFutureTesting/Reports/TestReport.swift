// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The result of a race test.
///
/// The tools of this module return a report and don't fail a test themselves, so that they work with every testing
/// library. To fail the test call ``verify()``, whose error every library prints:
///
/// ```swift
/// try await race("complete against cancel", …).verify()
/// ```
public protocol TestReport: Sendable, CustomStringConvertible {
  /// True if no failure was found, and enough was tested to conclude that.
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
