// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// Suspends until a condition holds.
///
/// ```swift
/// try await eventually("the timer is released") { timer.object == nil }
/// ```
///
/// For changes that other code makes at an unknown time, without notice. It can't show that something did *not* happen.
///
/// The condition is evaluated in the caller's isolation: on the main actor, if the test is isolated to it. It is
/// evaluated repeatedly, at first at once, later every few milliseconds, and should be quick.
///
/// - Parameters:
///   - expectation: The expectation, as a sentence that should become true.
///   - limit: The longest time to wait. Ten times the usual time does no harm: only a test that fails waits so long.
///     The environment variable `RACEFREEFUTURE_PATIENCE` is a factor for it.
///   - condition: Returns true if the expectation is met.
/// - Throws: ``DeadlineError``, which names the expectation; any error that the condition throws; `CancellationError`
///   if the task is cancelled.
public func eventually(
  _ expectation: String,
  within limit: Duration = .seconds(60),
  fileID: String = #fileID,
  line: Int = #line,
  _ condition: () async throws -> Bool
) async throws {
  let clock = ContinuousClock()
  let limit = limit.patiently
  let deadline = clock.now.advanced(by: limit)
  var asked = 0
  while true {
    // First the time, then the condition: it is evaluated once more after the deadline, even if this thread is late.
    let isLate = clock.now >= deadline
    if try await condition() { return }
    asked += 1
    if isLate {
      throw DeadlineError(
        expectation: expectation,
        limit: limit,
        fileID: fileID,
        line: line,
        state: "It was asked \(times(asked, "time"))."
      )
    }
    // The expected change may need this very thread: let it go first, and react quickly to changes that take no time.
    if asked < 20 {
      try Task.checkCancellation()
      await Task.yield()
    } else {
      try await Task.sleep(for: .milliseconds(min(10, asked / 20)))
    }
  }
}
