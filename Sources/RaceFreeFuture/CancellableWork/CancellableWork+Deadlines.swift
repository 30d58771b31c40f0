// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// MARK: - Deadlines

extension CancellableWork {
  /// Cancels the future at an instant, unless it is resolved before.
  ///
  /// The timer keeps the future alive until then; it is disarmed and released at the outcome. It cancels on a thread of
  /// the global queue, so inline handlers run there. Several deadlines may be set; the earliest one counts. Futures that
  /// are linked to this one have it as a ``deadline``, too.
  ///
  /// - Parameters:
  ///   - instant: When, not before; nothing is said about how late. While the machine sleeps no timer runs: one that
  ///     would have cancelled meanwhile may be late by as long. If the instant has passed, the future is cancelled at
  ///     once, on the calling thread. Over a century away: no deadline is set. Code that is tested in virtual time
  ///     counts from ``Deadline/now``.
  ///   - reason: The reason; by default a ``TimeoutError`` with the deadline, the time that was given, and the label.
  ///   - fileID: Leave it out: the file of the call, which is the ``cancellationSite`` later.
  ///   - line: Leave it out: the line of the call.
  /// - Returns: What moves the deadline, or takes it back.
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

  /// Cancels the future when the given time has passed, unless it is resolved before.
  ///
  /// The same as ``cancel(at:throwing:fileID:line:)`` with the instant that is so far from now.
  ///
  /// - Parameters:
  ///   - interval: How long, measured as `DispatchTime` does: not while the machine sleeps. Zero or less: cancelled at
  ///     once, on the calling thread. Over a century: no deadline is set.
  ///   - reason: The reason; by default a ``TimeoutError`` with the interval and the label.
  ///   - fileID: Leave it out: the file of the call.
  ///   - line: Leave it out: the line of the call.
  /// - Returns: What moves the deadline, or takes it back.
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

  /// The instant at which the future will be cancelled: the earliest of its own deadlines and of all those whose
  /// cancellation reaches it by links, at any depth.
  ///
  /// Nil if there is none, and for a future that is decided. Links are those of ``Future/init(linkedTo:_:label:fileID:line:)``,
  /// ``cascadeCancellation(to:)``, ``Future/passControl(to:)``, ``Future/all(_:)`` and of futures that were made from
  /// others, in the direction, or directions, in which they pass a cancellation on; ``Future/any(_:)``, which needs all of
  /// them, takes no deadline over. A snapshot: deadlines and links may change meanwhile. Meant for whoever talks to
  /// somebody else who should know how long there is to answer:
  ///
  /// ```swift
  /// if let deadline = token.deadline {
  ///   request.timeout = Deadline.now.duration(to: deadline)
  /// }
  /// ```
  ///
  /// It takes one turn of the lock for each future that is asked, and no two at once.
  public var deadline: ContinuousClock.Instant? { cancelToken.future.earliestDeadline }
}
