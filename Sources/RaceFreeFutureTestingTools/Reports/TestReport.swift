// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The result of a race test.
///
/// The tools of this module record a failure as an issue of the running test, with the source location of the call, in
/// Swift Testing and in XCTest. The report that they return is for those who want to look at it. Outside of a test
/// nothing is recorded.
///
/// The report of a test that passed is attached to it (Swift Testing 6.2 or later). If the environment variable
/// `RACEFREEFUTURE_REPORTS` is set, it is also printed. An order or a history that fails is attached as a page with a
/// picture of it, which is also written into the folder that `RACEFREEFUTURE_REPORT` names.
public protocol TestReport: Sendable, CustomStringConvertible {
  /// The verdict: passed, failed, or inconclusive, because too little was tested.
  var verdict: TestVerdict { get }
}

/// The verdict of a race test.
public enum TestVerdict: Hashable, Sendable {
  /// No failure was found, and enough was tested to conclude that.
  case passed
  /// No failure was found, but so little was tested that this shows nothing.
  case inconclusive
  /// A failure was found.
  case failed
}

extension TestReport {
  /// True if no failure was found, and enough was tested to conclude that.
  public var passed: Bool { verdict == .passed }

  /// Records the report as an issue of the running test, unless it passed.
  ///
  /// For a report that nothing has recorded: of ``LifetimeTracker/report``, or an ``IsolatedReport``. A failure is an
  /// error, a report without a conclusion is a warning.
  public func record(
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: Int = #line,
    column: Int = #column
  ) {
    record(at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
  }
}
