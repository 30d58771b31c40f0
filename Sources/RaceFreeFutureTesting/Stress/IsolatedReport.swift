// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// Runs race tests in a process that may die of them, and makes a crash something that can be reported.
///
/// For the body of an exit test. Whatever becomes of the tests in it, the process ends successfully, and its standard error
/// has the story: an ``IsolatedReport`` makes a report of it.
///
/// ```swift
/// let result = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
///   await reportingCrashes {
///     try await race("lock a then b against b then a", …).verify()
///   }
/// }
/// try IsolatedReport(result.standardErrorContent).verify()
/// ```
///
/// A crash is a signal: SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS or SIGFPE. From then on the process does nothing more than
/// to write what was under way, and to exit. Without an exit test it is meant for a process that you start yourself.
///
/// - Parameter tests: Runs race tests, and throws what they throw. Runs where the caller runs.
public func reportingCrashes(_ tests: () async throws -> Void) async {
  CrashHandler.exitsAfterCrash()
  let note = CrashNote("an isolated test", again: "swift test")
  CrashHandler.add(note)
  defer { CrashHandler.remove(note) }
  do {
    try await tests()
    printToStandardError(IsolatedReport.passedMark)
  } catch {
    printToStandardError("\(error)\n" + IsolatedReport.failedMark)
  }
}

/// What became of race tests in a process of their own: passed, failed, or crashed.
///
/// See ``reportingCrashes(_:)``.
public struct IsolatedReport: TestReport {
  /// Whether the tests came to their end, and none failed.
  public let passed: Bool

  /// What the process wrote to its standard error: the report of the test that failed; or the message with which the
  /// process died, the test that was under way, and where its threads were.
  ///
  /// The last 400 lines, if there are more.
  public let description: String

  static let passedMark = "RaceFreeFutureTesting: the isolated tests passed"
  static let failedMark = "RaceFreeFutureTesting: the isolated tests failed"

  /// Makes a report of what a process wrote to its standard error.
  public init(_ standardError: some Sequence<UInt8>) {
    let text = String(decoding: Array(standardError), as: UTF8.self)
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    while lines.last?.isEmpty == true { lines.removeLast() }
    let hasFailed = lines.last == Self.failedMark
    passed = lines.last == Self.passedMark
    if passed || hasFailed { lines.removeLast() }
    let verdict =
      passed
      ? "passed  in a process of its own"
      : hasFailed ? "FAILED  in a process of its own" : "FAILED  in a process of its own, which crashed"
    description = ([verdict] + lines.suffix(400)).joined(separator: "\n")
  }
}
