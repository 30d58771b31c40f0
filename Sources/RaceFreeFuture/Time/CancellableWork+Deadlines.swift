// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// MARK: - Deadlines

extension CancellableWork {
  /// Cancels the future at an instant, unless it is resolved earlier.
  ///
  /// Inline handlers run on a thread that Dispatch provides. The timer keeps the future alive, and is disarmed at the
  /// outcome. Several deadlines may be set: of those that have passed, the earliest is the reason. Futures that are
  /// linked to this one have the deadline, too: see ``deadline``.
  ///
  /// - Parameters:
  ///   - instant: The instant of the cancellation, which is never early, but may be late: after the machine has slept,
  ///     by as long. If the instant has passed, the future is cancelled at once, on the calling thread. If it is over a
  ///     century away, it doesn't come, unless the deadline is moved. In code that is tested in virtual time, count
  ///     from ``Deadline/now``.
  ///   - reason: The reason; by default a ``TimeoutError`` with the deadline, the interval, and the label.
  /// - Returns: The deadline, to move or remove it.
  @inlinable
  @discardableResult
  public func cancel(
    at instant: ContinuousClock.Instant,
    throwing reason: (any Error)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Deadline {
    cancelToken.future.setDeadline(at: instant, reason, fileID, line)
  }

  /// Cancels the future after an interval, unless it is resolved earlier.
  ///
  /// Equivalent to ``cancel(at:throwing:fileID:line:)`` with the instant at the end of the interval.
  ///
  /// - Parameters:
  ///   - interval: The interval. Time during which the machine sleeps may not count. If it is zero or less, the future
  ///     is cancelled at once, on the calling thread. If it is over a century, it doesn't pass, unless the deadline is
  ///     moved: set `.seconds(Int64.max)` if the instant isn't known yet.
  ///   - reason: The reason; by default a ``TimeoutError`` with the interval and the label.
  /// - Returns: The deadline, to move or remove it.
  @inlinable
  @discardableResult
  public func cancel(
    after interval: Duration,
    throwing reason: (any Error)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Deadline {
    cancelToken.future.setDeadline(after: interval, reason, fileID, line)
  }

  /// The instant at which the future will be cancelled: the earliest deadline of this future and of all futures whose
  /// cancellation reaches it through links, at any depth.
  ///
  /// Use it to tell a remote party how long it has to answer. It is nil if the future is decided, or if no deadline
  /// comes within a century.
  ///
  /// ```swift
  /// if let deadline = token.deadline {
  ///   request.timeout = Deadline.now.duration(to: deadline)
  /// }
  /// ```
  ///
  /// Links lead from this future to the futures on which it depends:
  /// ``CancellableWork/init(linkedTo:_:label:fileID:line:)``, ``cascadeCancellation(to:)``,
  /// ``Future/passControl(to:)``, ``Future/all(_:)``, `map` and the like make them. ``Future/any(_:)``, which is
  /// cancelled only when all its sources are, inherits no deadline. A future created from this one doesn't bring its
  /// deadline, although it cancels this one; but ``ValueFuture/timeout(after:label:fileID:line:)`` sets its deadline on
  /// this future, whose work it limits.
  ///
  /// The value is a snapshot: deadlines and links may change. Reading it visits each of these futures.
  public var deadline: ContinuousClock.Instant? { cancelToken.future.earliestDeadline }
}
