// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// Runs race tests in a process that they may crash, and makes a crash reportable.
///
/// For the body of an exit test. With any outcome of the tests in it, the process ends successfully, nothing is recorded
/// there, and its standard error has the details: an ``IsolatedReport`` makes a report of them.
///
/// ```swift
/// let result = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
///   await reportingCrashes {
///     await race("lock a then b against b then a", …)
///   }
/// }
/// IsolatedReport(result.standardErrorContent).record()
/// ```
///
/// A crash is a signal: SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS or SIGFPE. From then on the process only writes the
/// state of the running test, and exits. Without an exit test it is meant for a process that you start yourself.
///
/// - Parameter tests: Runs race tests; they fail as well if it throws. Runs in the caller's isolation.
public func reportingCrashes(_ tests: () async throws -> Void) async {
  CrashHandler.exitsAfterCrash()
  let note = CrashNote("an isolated test", again: "swift test")
  CrashHandler.add(note)
  defer { CrashHandler.remove(note) }
  let keeper = ReportKeeper()
  var failures: [String] = []
  do { try await keeper.keepingReports(tests) } catch { failures.append("\(error)") }
  failures.insert(contentsOf: keeper.texts, at: 0)
  for failure in failures { printToStandardError(failure) }
  printToStandardError(failures.isEmpty ? IsolatedReport.passedMark : IsolatedReport.failedMark)
}

/// The result of race tests in a process of their own: passed, failed, or crashed.
///
/// See ``reportingCrashes(_:)``.
public struct IsolatedReport: TestReport {
  /// Passed if the tests ran to completion, and none failed.
  public let verdict: TestVerdict

  /// The standard error of the process: the report of the test that failed; or the message of the crash, the test that
  /// was running, and the positions of its threads.
  ///
  /// The last 400 lines, if there are more.
  public let description: String

  static let passedMark = "RaceFreeFutureTesting: the isolated tests passed"
  static let failedMark = "RaceFreeFutureTesting: the isolated tests failed"

  /// Creates a report from the standard error of a process.
  public init(_ standardError: some Sequence<UInt8>) {
    let text = String(decoding: Array(standardError), as: UTF8.self)
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    while lines.last?.isEmpty == true { lines.removeLast() }
    let hasFailed = lines.last == Self.failedMark
    let hasPassed = lines.last == Self.passedMark
    verdict = hasPassed ? .passed : .failed
    if hasPassed || hasFailed { lines.removeLast() }
    let headline =
      hasPassed
      ? "passed  in a process of its own"
      : hasFailed ? "FAILED  in a process of its own" : "FAILED  in a process of its own, which crashed"
    description = ([headline] + lines.suffix(400)).joined(separator: "\n")
  }
}
