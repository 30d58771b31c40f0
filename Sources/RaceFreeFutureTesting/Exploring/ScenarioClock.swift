// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The clock of an order that is explored: time passes only when nothing else can go on, and then at once.
///
/// Give it to code that takes a clock. It is the one that `Task.sleep` and the timers of futures follow there, too; but
/// other than with `ContinuousClock`, ``now`` is the time to which these have brought it. It works with every runtime,
/// also where `Task.sleep` is left to the real time.
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
  ///   - deadline: When to go on; not in the future: at once.
  ///   - tolerance: Has no effect: a sleep ends exactly at its deadline.
  /// - Throws: `CancellationError` if the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try await run.sleep(until: deadline)
  }
}
