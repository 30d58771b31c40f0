// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// A clock that stands still until it is advanced: the one that the timers of futures under a ``ManualControl`` follow.
public struct ManualClock: Sendable {
  let conductor: ManualConductor

  /// The time since the control began.
  public var now: Duration { .nanoseconds(conductor.now) }

  /// The timers that are set, the next first: when they fire, and for which future, as in `3.0 seconds for "load"`.
  public var timers: [String] { conductor.timers }

  /// Lets time pass: fires each timer whose time comes, in order, on the calling thread.
  ///
  /// A timer cancels its future as `cancel(after:)` says, in place; handlers for queues then wait in line. Timers that
  /// are set meanwhile fire as well if their time comes.
  ///
  /// - Parameter interval: How long; zero or less: only timers that are due.
  /// - Returns: How many timers have fired.
  @discardableResult
  public func advance(by interval: Duration) -> Int {
    conductor.advance(by: interval.nanoseconds)
  }
}
