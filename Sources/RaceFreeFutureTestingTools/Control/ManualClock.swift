// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// A clock that stands still until it is advanced, for code that takes a clock; the timers of futures under a
/// ``ManualControl`` follow one, too.
///
/// ```swift
/// let clock = ManualClock()
/// let poller = Poller(every: .seconds(60), clock: clock)  // sleeps on its `any Clock<Duration>`
/// async let answer = poller.firstAnswer()
/// try await clock.timersSet()  // it sleeps
/// clock.advance(by: .seconds(60))
/// #expect(try await answer == "ready")
/// ```
///
/// A sleep ends when the clock is advanced to its deadline, and with `CancellationError` when its task is cancelled, or
/// the clock's control has ended, because nothing could wake it. Copies are the same clock. In the body of
/// ``exploreTasks(_:_:fileID:filePath:line:column:body:)``, too, the clock stands still until the body advances it;
/// ``TaskScenario/clock`` advances by itself.
public struct ManualClock: Clock {
  let scheduler: ManualScheduler

  init(scheduler: ManualScheduler) { self.scheduler = scheduler }

  /// Creates an independent clock, which stands at the beginning of its time.
  public init() { scheduler = ManualScheduler() }

  /// The time since the clock was made.
  public var now: Instant { Instant(nanoseconds: scheduler.now) }

  /// A nanosecond.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// The timers that are set, the next first: their times and purposes, as in `3.0 seconds pass: for "load"`.
  ///
  /// Each sleeping task has a timer, with the task's name, if any.
  public var timers: [String] { scheduler.timers }

  /// Suspends until the clock is advanced to an instant.
  ///
  /// - Parameters:
  ///   - deadline: The end of the sleep; if it isn't in the future, the call returns at once.
  ///   - tolerance: Has no effect: a sleep ends exactly at its deadline.
  /// - Throws: `CancellationError` if the task is cancelled, or if the clock's control has ended.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try await scheduler.sleep(until: deadline)
  }

  /// Suspends until at least a number of timers are set, for example until tasks sleep on this clock.
  ///
  /// - Parameter count: The minimum number of timers.
  /// - Throws: `CancellationError` if the task is cancelled; ``DeadlineError`` if that doesn't happen for a minute
  ///   (times `RACEFREEFUTURE_PATIENCE`).
  public func timersSet(atLeast count: Int = 1, fileID: String = #fileID, line: Int = #line) async throws {
    try await scheduler.timersSet(atLeast: count, fileID: fileID, line: line)
  }

  /// Advances the clock: fires each timer whose deadline is reached, in the order of the deadlines, on the calling
  /// thread.
  ///
  /// A timer cancels its future as `cancel(after:)` does, in place; handlers for queues are then queued. A sleeping
  /// task is resumed, and continues at its own pace, perhaps after this has returned: if it will sleep again, wait for
  /// ``timersSet(atLeast:fileID:line:)`` before advancing the clock again. Timers that are set meanwhile fire as well
  /// if their deadline is reached. Timers with the same deadline fire in the order in which they were set.
  ///
  /// - Parameter interval: The time to advance; zero or less fires only timers that are due.
  /// - Returns: The number of timers that have fired.
  @discardableResult
  public func advance(by interval: Duration) -> Int { scheduler.advance(by: interval.nanoseconds) }

  /// A point in the time of a clock, as an offset from its beginning.
  public struct Instant: InstantProtocol, CustomStringConvertible {
    /// The time since the clock's beginning.
    public let offset: Duration

    /// Creates the point at an offset from the clock's beginning.
    ///
    /// - Parameter offset: The time since the clock's beginning.
    public init(offset: Duration) { self.offset = offset }

    package init(nanoseconds: Int) { offset = .nanoseconds(nanoseconds) }

    /// Returns the point that is later by a duration.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

    /// Returns the duration from this point to another.
    public func duration(to other: Instant) -> Duration { other.offset - offset }

    /// Returns true if one point is before another.
    public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }

    /// The time since the clock's beginning.
    public var description: String { "\(offset)" }
  }
}
