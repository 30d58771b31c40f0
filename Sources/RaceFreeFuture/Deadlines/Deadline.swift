// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// An instant at which a future is cancelled, unless it is resolved before; it can be moved and taken back.
///
/// ```swift
/// let watchdog = upload.cancel(after: .seconds(30))
/// for try await chunk in chunks {
///   try await connection.send(chunk)
///   watchdog.extend(fromNow: .seconds(30))  // there is progress
/// }
/// ```
///
/// A move either takes effect or doesn't: once it has returned true, the former instant cancels nothing any more. All
/// methods are callable from any thread, and none blocks, except ``unregisterAndWait()``. Moving one to a later instant
/// takes one turn of the future's lock; the timer is set anew when it comes to the former instant.
///
/// Dropping a deadline changes nothing: it stays in force. It keeps the future alive, as a ``Registration`` does.
public struct Deadline: Sendable {
  /// Nil: it was over from the start.
  private let set: (future: Future, timer: DeadlineTimer)?
  private let given: ContinuousClock.Instant

  init(_ future: Future, _ timer: DeadlineTimer, at instant: ContinuousClock.Instant) {
    set = (future, timer)
    given = instant
  }

  /// One that isn't in force any more.
  init(over instant: ContinuousClock.Instant) {
    set = nil
    given = instant
  }

  /// The present instant of the clock that deadlines follow.
  ///
  /// That is `ContinuousClock.now`, except for code that is tested: under a manual control, and where every order is
  /// explored, it is an instant of the virtual time there. So code that computes deadlines asks here.
  public static var now: ContinuousClock.Instant { Scheduling.current?.instant ?? .now }

  /// The instant at which it cancels the future, or would have.
  public var instant: ContinuousClock.Instant {
    guard let set else { return given }
    return set.future.process { _ in set.timer.instant }
  }

  /// Moves it to another instant, earlier or later, in one atomic step.
  ///
  /// - Parameter instant: When the future is cancelled from now on. If that has passed, the timer fires at once. Over a
  ///   century away: not before it is moved again.
  /// - Returns: Whether it was moved; false if it has cancelled, was taken back, or the future is decided.
  @discardableResult
  public func move(to instant: ContinuousClock.Instant) -> Bool {
    move { _, _ in instant }
  }

  /// Moves it by some time from where it stands, in one atomic step.
  ///
  /// Of several calls, on whichever threads, none is lost.
  ///
  /// - Parameter interval: How much later; negative: earlier.
  /// - Returns: Whether it was moved; false if it has cancelled, was taken back, or the future is decided.
  @discardableResult
  public func extend(by interval: Duration) -> Bool {
    move { instant, _ in instant.advanced(by: interval.clamped) }
  }

  /// Sees to it that there is at least so much time from now on: a watchdog is fed.
  ///
  /// A deadline that is later already stays where it is. When the calls cease, the future is cancelled so long after the
  /// last one.
  ///
  /// - Parameter interval: How much time there is at least.
  /// - Returns: Whether the deadline is in force; false if it has cancelled, was taken back, or the future is decided.
  @discardableResult
  public func extend(fromNow interval: Duration) -> Bool {
    move { instant, now in max(instant, now.advanced(by: interval.clamped)) }
  }

  private func move(
    _ next: (_ instant: ContinuousClock.Instant, _ now: ContinuousClock.Instant) -> ContinuousClock.Instant
  ) -> Bool {
    guard let set else { return false }
    return set.future.move(set.timer, next)
  }

  /// Takes the deadline back, as long as it hasn't cancelled the future.
  ///
  /// O(1) but for the other deadlines of the same future.
  ///
  /// - Returns: true if this call kept it from cancelling; false if it has, was taken back before, or the future was
  ///   resolved otherwise.
  @discardableResult
  public func unregister() -> Bool {
    guard let set else { return false }
    return set.future.remove(set.timer)
  }

  /// Takes the deadline back like ``unregister()``; if it is cancelling the future on another thread, blocks until that
  /// decision is made.
  ///
  /// So once this has returned false, the future is resolved, or will be behind the `perform` block that is queued. It
  /// doesn't wait for what the cancellation brings about.
  ///
  /// - Returns: true if this call kept it from cancelling.
  @available(*, noasync, message: "it may block the thread; use unregister()")
  @discardableResult
  public func unregisterAndWait() -> Bool {
    if unregister() { return true }
    set?.timer.node.waitUntilReturned()
    return false
  }
}

// MARK: - Describe

extension Deadline: CustomReflectable {
  /// The future that it belongs to, and how much time is left: for debuggers, `dump` and failed expectations.
  ///
  /// A snapshot of one moment; its form may change.
  public var customMirror: Mirror {
    let left = (set?.future.presentInstant ?? .now).duration(to: instant)
    let children: [(String?, Any)] = [("future", set.map { "\($0.future)" } ?? "none"), ("timeLeft", left)]
    return Mirror(self, children: children, displayStyle: .struct)
  }
}
