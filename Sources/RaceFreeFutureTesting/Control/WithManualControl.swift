// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import RaceFreeFuture

/// Runs a test whose futures have their queues and timers run by hand.
///
/// Each future that is made in the body, by it or by its child tasks, gives its work to the control. When the body has
/// returned, timers that are still set are dropped, and the futures that are left turn to Dispatch like all others.
///
/// - Parameter body: Runs on the calling task. Awaiting a future whose work waits in line never ends: after a minute the
///   program stops with a message that names what waits.
/// - Returns: What the body returned.
/// - Throws: What the body threw; ``UnfinishedWork`` if it threw nothing and left work in line.
public func withManualControl<Result>(
  _ body: (ManualControl) async throws -> Result
) async throws -> Result {
  let control = ManualControl()
  defer { control.scheduler.close() }
  let result = try await Scheduling.schedule(by: control.scheduler) { try await body(control) }
  if !control.pending.isEmpty { throw UnfinishedWork(pending: control.pending) }
  return result
}

/// Runs a test whose futures have their queues and timers run by hand, in synchronous code.
///
/// The same as the asynchronous form.
///
/// - Parameter body: Runs on the calling thread.
/// - Returns: What the body returned.
/// - Throws: What the body threw; ``UnfinishedWork`` if it threw nothing and left work in line.
public func withManualControl<Result>(_ body: (ManualControl) throws -> Result) throws -> Result {
  let control = ManualControl()
  defer { control.scheduler.close() }
  let result = try Scheduling.schedule(by: control.scheduler) { try body(control) }
  if !control.pending.isEmpty { throw UnfinishedWork(pending: control.pending) }
  return result
}
