// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// MARK: - Diagnose

extension Future {
  /// A closure that receives the events of all futures of the program: for logs and measurements, and to find a future
  /// that hangs.
  ///
  /// ```swift
  /// Future.observer = { event in
  ///   if case .created = event.kind { return }
  ///   logger.debug("\(event)")
  /// }
  /// ```
  ///
  /// Each future that is created while there is an observer is reported once as created and, unless the observer is
  /// removed first, once as completed, failed, cancelled or abandoned. Value futures, tokens and futures that the
  /// library creates for its own purposes are included; ``CancelToken/never`` isn't. An error that comes after the
  /// outcome, and would otherwise be lost, is also reported. As long as there is an observer, each call that cancels is
  /// recorded as the ``Cancellation/place``.
  ///
  /// The closure runs on the thread of the event: for a creation before the future is returned, for an outcome after
  /// the decision and before the first handler starts. No lock is held; but the thread may have the future's private
  /// queue, or belong to a task that is being cancelled. So the closure should be quick, and must not wait. It may be
  /// called by several threads at the same time. Events that it causes itself, or in a task that it starts, aren't
  /// reported.
  ///
  /// Setting it takes effect for later calls, at once on this thread and soon on others, where a call of the old closure
  /// may still be in progress. It belongs to the application: libraries shouldn't set it. The default, nil, costs one load for each
  /// event.
  public static var observer: (@Sendable (Event) -> Void)? {
    get { Observation.setting.closure }
    set { Observation.setting.closure = newValue }
  }
}
