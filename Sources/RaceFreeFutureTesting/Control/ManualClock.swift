// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// A clock that stands still until it is advanced, to give to code that takes a clock; the timers of futures under a
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
/// A sleep ends when the clock is advanced to its deadline, with `CancellationError` when its task is cancelled, and also
/// when the clock's control is over: nobody could wake it. Copies are the same clock. In the body of
/// ``exploreTasks(_:_:seed:maxSteps:body:)`` it stands still as well, until the body advances it; ``TaskScenario/clock``
/// is the one that goes by itself.
public struct ManualClock: Clock {
  let scheduler: ManualScheduler

  init(scheduler: ManualScheduler) { self.scheduler = scheduler }

  /// Makes a clock of its own, which stands at the beginning of its time.
  public init() { scheduler = ManualScheduler() }

  /// The time since the clock was made.
  public var now: Instant { Instant(nanoseconds: scheduler.now) }

  /// A nanosecond.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// The timers that are set, the next first: when they fire, and for what, as in `3.0 seconds pass: for "load"`.
  ///
  /// Each task that sleeps has one, with the task's name if it has one.
  public var timers: [String] { scheduler.timers }

  /// Suspends until the clock is advanced to an instant.
  ///
  /// - Parameters:
  ///   - deadline: When to go on; not in the future: at once.
  ///   - tolerance: Has no effect: a sleep ends exactly at its deadline.
  /// - Throws: `CancellationError` if the task is cancelled, or if the clock's control has ended.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try await scheduler.sleep(until: deadline)
  }

  /// Suspends until at least that many timers are set: until tasks sleep on this clock that are about to.
  ///
  /// - Parameters:
  ///   - count: How many.
  ///   - fileID: The caller's file.
  ///   - line: The caller's line.
  /// - Throws: `CancellationError` if the task is cancelled; ``DeadlineError`` if that doesn't happen for a minute
  ///   (times `RACEFREEFUTURE_PATIENCE`).
  public func timersSet(atLeast count: Int = 1, fileID: String = #fileID, line: Int = #line) async throws {
    try await scheduler.timersSet(atLeast: count, fileID: fileID, line: line)
  }

  /// Lets time pass: fires each timer whose time comes, in the order of their deadlines, on the calling thread.
  ///
  /// A timer cancels its future as `cancel(after:)` says, in place; handlers for queues then wait in line. A sleeping task
  /// is resumed, and goes on in its own time, perhaps after this has returned: if it will sleep again, let
  /// ``timersSet(atLeast:fileID:line:)`` return before time goes on. Timers that are set meanwhile fire as well if their
  /// time comes. Of timers with the same deadline the one that was set first fires first.
  ///
  /// - Parameter interval: How long; zero or less: only timers that are due.
  /// - Returns: How many timers have fired.
  @discardableResult
  public func advance(by interval: Duration) -> Int { scheduler.advance(by: interval.nanoseconds) }

  /// A point in the time of a clock: so long after its beginning.
  public struct Instant: InstantProtocol, CustomStringConvertible {
    /// The time since the clock's beginning.
    public let offset: Duration

    /// Makes the point so long after the clock's beginning.
    ///
    /// - Parameter offset: How long.
    public init(offset: Duration) { self.offset = offset }

    init(nanoseconds: Int) { offset = .nanoseconds(nanoseconds) }

    /// The point so much later.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

    /// How much later another point is.
    public func duration(to other: Instant) -> Duration { other.offset - offset }

    /// Whether one point is before another.
    public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }

    /// The time since the clock's beginning.
    public var description: String { "\(offset)" }
  }
}
