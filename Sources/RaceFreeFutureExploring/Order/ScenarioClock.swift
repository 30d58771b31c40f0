// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

public import RaceFreeFutureTestingTools

/// The clock of an explored order: time passes only when nothing else can continue, and then at once.
///
/// Pass it to code that takes a clock. `Task.sleep` and the timers of futures follow it there, too; its ``now`` is the
/// time to which these have advanced it. It works with every runtime, also where `Task.sleep` takes real time and
/// `ContinuousClock` shows it.
public struct ScenarioClock: Clock {
  /// A point in the time of an order.
  public typealias Instant = ManualClock.Instant

  let run: OrderRun

  /// The time since the order began.
  public var now: Instant { Instant(nanoseconds: run.now) }

  /// A nanosecond.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Suspends until nothing but later sleeps and timers is left.
  ///
  /// - Parameters:
  ///   - deadline: The end of the sleep; if it isn't in the future, the call returns at once.
  ///   - tolerance: Has no effect: a sleep ends exactly at its deadline.
  /// - Throws: `CancellationError` if the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try await run.sleep(until: deadline)
  }
}
