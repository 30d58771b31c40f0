// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import RaceFreeFuture

/// Runs a test with manual control of the queues and timers of its futures.
///
/// Each future that is made in the body, by it or by its child tasks, gives its work to the control. When the body has
/// returned, timers that are still set are dropped, and the futures that are left use Dispatch like all others.
///
/// - Parameter body: Runs on the calling task. Awaiting a future whose work is queued never ends: after a minute the
///   program stops with a message that names the pending work.
/// - Returns: The result of the body.
/// - Throws: The error of the body; ``UnfinishedWork`` if it threw none and left queued work.
public func withManualControl<Result>(
  _ body: (ManualControl) async throws -> Result
) async throws -> Result {
  let control = ManualControl()
  defer { control.scheduler.close() }
  let result = try await Scheduling.schedule(by: control.scheduler) { try await body(control) }
  if !control.pending.isEmpty { throw UnfinishedWork(pending: control.pending) }
  return result
}

/// Runs a synchronous test with manual control of the queues and timers of its futures.
///
/// The same as the asynchronous form.
///
/// - Parameter body: Runs on the calling thread.
/// - Returns: The result of the body.
/// - Throws: The error of the body; ``UnfinishedWork`` if it threw none and left queued work.
public func withManualControl<Result>(_ body: (ManualControl) throws -> Result) throws -> Result {
  let control = ManualControl()
  defer { control.scheduler.close() }
  let result = try Scheduling.schedule(by: control.scheduler) { try body(control) }
  if !control.pending.isEmpty { throw UnfinishedWork(pending: control.pending) }
  return result
}
