// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// An instant at which a future is cancelled, unless it is resolved earlier; it can be moved and unregistered.
///
/// ```swift
/// let watchdog = upload.cancel(after: .seconds(30))
/// for try await chunk in chunks {
///   try await connection.send(chunk)
///   watchdog.extend(fromNow: .seconds(30))  // there is progress
/// }
/// ```
///
/// A move either takes effect or doesn't: once it has returned true, the former instant no longer cancels anything. All
/// methods can be called from any thread, and none blocks. Moving a deadline takes
/// O(log *n*) in the number of all deadlines of the program.
///
/// Releasing a deadline has no effect: it stays in force. It keeps the future alive, as a ``Registration`` does.
public struct Deadline: Sendable {
  /// The future and its timer; nil if the deadline was over from the start.
  private let set: (future: Future, timer: TimedNode)?
  private let given: ContinuousClock.Instant

  init(_ future: Future, _ timer: TimedNode, at instant: ContinuousClock.Instant) {
    set = (future, timer)
    given = instant
  }

  /// Creates a deadline that is no longer in force.
  init(over instant: ContinuousClock.Instant) {
    set = nil
    given = instant
  }

  /// The current instant of the clock that deadlines follow.
  ///
  /// `ContinuousClock.now`, except under manual control and in explorations, where time is virtual. Compute deadlines
  /// from this instant.
  public static var now: ContinuousClock.Instant { Scheduling.current?.instant ?? .now }

  /// The instant at which the deadline cancels the future, or would have; over two centuries away it may be a nearer
  /// one than was given.
  public var instant: ContinuousClock.Instant {
    guard let set else { return given }
    return Timers.shared.earliest(of: [set.timer]) ?? given
  }

  /// Moves the deadline to another instant, earlier or later, in one atomic step.
  ///
  /// - Parameter instant: The new instant of the cancellation. If it has passed, the timer fires at once. If it is over
  ///   a century away, it doesn't come before the deadline is moved again, and ``CancellableWork/deadline`` ignores it.
  /// - Returns: True if the deadline was moved; false if it has cancelled the future or was unregistered, or if the
  ///   future is decided.
  @discardableResult
  public func move(to instant: ContinuousClock.Instant) -> Bool {
    move { _, _ in instant }
  }

  /// Moves the deadline so that at least the given time is left, as for a watchdog.
  ///
  /// A deadline that is already later isn't moved. When the calls cease, the future is cancelled that long after the
  /// last one.
  ///
  /// - Parameter interval: The least time that is left.
  /// - Returns: True if the deadline is in force; false if it has cancelled the future or was unregistered, or if the
  ///   future is decided.
  @discardableResult
  public func extend(fromNow interval: Duration) -> Bool {
    move { instant, now in max(instant, now.advanced(by: interval.clamped)) }
  }

  /// Moves the deadline to the instant that a closure makes of the present one, in one atomic step.
  func move(
    _ next: (_ instant: ContinuousClock.Instant, _ now: ContinuousClock.Instant) -> ContinuousClock.Instant
  ) -> Bool {
    guard let set else { return false }
    return set.future.move(set.timer, next)
  }

  /// Unregisters the deadline, unless it has already cancelled the future.
  ///
  /// O(log *n*) in the number of all deadlines of the program.
  ///
  /// - Returns: True if this call kept it from cancelling; false if it has cancelled the future, was unregistered
  ///   earlier, or the future was resolved otherwise. After false the future is resolved, unless the deadline was
  ///   unregistered, or its cancellation is queued behind a `perform` block, where it can't be withdrawn any more.
  @discardableResult
  public func unregister() -> Bool {
    guard let set else { return false }
    return set.future.remove(set.timer)
  }
}

// MARK: - Describe

extension Deadline: CustomReflectable {
  /// The future that it belongs to, and the time left, for debuggers, `dump` and failed expectations.
  ///
  /// A snapshot; the format may change.
  public var customMirror: Mirror {
    let left = (set?.future.presentInstant ?? .now).duration(to: instant)
    let children: [(String?, Any)] = [("future", set.map { "\($0.future)" } ?? "none"), ("timeLeft", left)]
    return Mirror(self, children: children, displayStyle: .struct)
  }
}
