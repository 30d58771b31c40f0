// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The time that explored code reads from the clocks of the system.
enum ScenarioTime: Sendable {
  /// The time to which sleeps and timers have advanced, from `ContinuousClock`, `SuspendingClock`, `DispatchTime` and
  /// Foundation's `Date`.
  ///
  /// It begins with the real time at which the exploration began, the same in each order, and stands still while code
  /// runs. Only the threads of the exploration read it. Code that does nothing but look at a clock until a deadline comes
  /// to it: after 64 steps in which tasks only read the time and yield, or 1,000 readings in one step, time goes on.
  ///
  /// Only on Linux, and unless the program has a `clock_gettime` of its own; elsewhere it is ``real``.
  case virtual

  /// The real time, which goes on while code runs; sleeps and timers take none of it.
  case real
}
