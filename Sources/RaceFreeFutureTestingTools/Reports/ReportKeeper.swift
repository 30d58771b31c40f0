// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import RaceFreeFuture

/// Runs race tests whose results are only returned: no issue is recorded, and nothing is attached.
///
/// For tests that look at the report of a race which should fail.
///
/// - Parameter tests: Runs race tests. Runs in the caller's isolation.
/// - Returns: What the closure returns.
/// - Throws: What the closure throws.
public func withoutRecording<T, E: Error>(
  _ tests: () async throws(E) -> T
) async throws(E) -> T {
  try await ReportKeeper().keepingReports(tests)
}

/// Keeps the reports of race tests that would be recorded otherwise.
final class ReportKeeper: Sendable {
  /// The one to which the reports of the running task go; nil: they are recorded.
  @TaskLocal static var current: ReportKeeper?

  private let failures = Locked<[String]>([])

  /// The texts of the reports that would have been recorded as errors.
  var texts: [String] { failures.withLock { $0 } }

  func keep(_ failure: String) { failures.withLock { $0.append(failure) } }

  /// Runs race tests whose reports are kept.
  func keepingReports<T, E: Error>(
    _ tests: () async throws(E) -> T
  ) async throws(E) -> T {
    // The closure of `withValue` throws any error.
    let result = await Self.$current.withValue(self) {
      do throws(E) { return Result<T, E>.success(try await tests()) } catch { return .failure(error) }
    }
    return try result.get()
  }
}
