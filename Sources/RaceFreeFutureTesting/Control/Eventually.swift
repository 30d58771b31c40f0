// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// Suspends until a condition holds that is going to.
///
/// ```swift
/// try await eventually("the timer is released") { timer.object == nil }
/// ```
///
/// For what somebody else does in their own time, and doesn't announce. It can't show that something did *not* happen.
///
/// The condition is asked where the caller runs: on the main actor, if that is where the test is. It is asked again and
/// again, at first at once, later every few milliseconds, and should be quick.
///
/// - Parameters:
///   - expectation: What is waited for, as a sentence that ought to become true.
///   - limit: For how long. Ten times what is usual does no harm: only a test that fails waits so long. The environment
///     variable `RACEFREEFUTURE_PATIENCE` is a factor for it.
///   - fileID: The caller's file.
///   - line: The caller's line.
///   - condition: Whether it has happened.
/// - Throws: ``DeadlineError``, which names the expectation; what the condition throws; `CancellationError` if the task
///   is cancelled.
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
    // First the time, then the condition: it is asked once more after the deadline, however late this thread is.
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
    // What is about to happen may need this very thread: let it go first, and be quick for what takes no time.
    if asked < 20 {
      try Task.checkCancellation()
      await Task.yield()
    } else {
      try await Task.sleep(for: .milliseconds(min(10, asked / 20)))
    }
  }
}
