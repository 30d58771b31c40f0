// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// MARK: - Deadlines

extension CancellableWork {
  /// Cancels the future at an instant, unless it is resolved earlier.
  ///
  /// Inline handlers run on a thread that Dispatch provides. The timer keeps the future alive, and is disarmed at the
  /// outcome. Several deadlines may be set: the earliest one that has passed is the reason. The deadline is also one of
  /// futures that are linked to this one: see ``deadline``.
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
  /// Equivalent to ``cancel(at:throwing:fileID:line:)`` with the instant that is this far from now.
  ///
  /// - Parameters:
  ///   - interval: The interval. Time during which the machine sleeps may not count. If it is zero or less, the future
  ///     is cancelled at once, on the calling thread. If it is over a century, it doesn't pass, unless the deadline is
  ///     moved: `.seconds(Int64.max)` sets one whose instant isn't known yet.
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

  /// The instant at which the future will be cancelled: the earliest of its own deadlines and the deadlines of all
  /// futures whose cancellation reaches it through links, at any depth.
  ///
  /// Use it to tell a remote party how long it has to answer. It is nil if there is no deadline, if that is over a
  /// century away, or if the future is decided.
  ///
  /// ```swift
  /// if let deadline = token.deadline {
  ///   request.timeout = Deadline.now.duration(to: deadline)
  /// }
  /// ```
  ///
  /// The links are those of ``CancellableWork/init(linkedTo:_:label:fileID:line:)``, ``cascadeCancellation(to:)``,
  /// ``Future/passControl(to:)``, ``Future/all(_:)`` and `map` and the like, from this future to those that it depends
  /// on; ``Future/any(_:)``, which is cancelled only when all are, inherits no deadline. The deadline of a future that
  /// was created from this one isn't among them, although its cancellation asks this one to cancel; that of a
  /// ``ValueFuture/timeout(after:label:fileID:line:)`` is, because it is set on the future whose work it limits.
  ///
  /// The value is a snapshot: deadlines and links may change meanwhile. Reading it looks at each of these futures.
  public var deadline: ContinuousClock.Instant? { cancelToken.future.earliestDeadline }
}
