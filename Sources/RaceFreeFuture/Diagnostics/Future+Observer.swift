// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// MARK: - Diagnose

extension Future {
  /// Sees what becomes of all futures of the program: for logs and measurements, and to find the one that hangs.
  ///
  /// ```swift
  /// Future.observer = { event in
  ///   if case .created = event.kind { return }
  ///   logger.debug("\(event)")
  /// }
  /// ```
  ///
  /// Each future that is made while somebody observes is told once as created and, unless the observer goes before,
  /// once as completed, failed, cancelled or abandoned. Value futures, tokens and futures that the library makes for
  /// its own purposes count as well; ``CancelToken/never`` doesn't. An error that comes after the outcome, and which nobody else
  /// would see, is told as well.
  ///
  /// The closure runs on the thread on which it happens: for a creation before the future is returned, for an outcome
  /// after the decision and before the first handler starts. No lock is held; but the thread may have the future's
  /// private queue, or belong to a task that is being cancelled. So the closure should be quick, and must not wait. It
  /// may be called by several threads at the same time. What it does with futures itself, or in a task that it starts,
  /// isn't told.
  ///
  /// Setting it takes effect at once on this thread and soon on others, on which a call of the old closure may still be
  /// on its way. It belongs to the application: libraries shouldn't set it. Nil, as at first, costs one load where
  /// there is something to tell.
  public static var observer: (@Sendable (Event) -> Void)? {
    get { Observation.current.observer }
    set { Observation.change { $0.observer = newValue } }
  }

  /// From which time on a handler counts as slow: 100 milliseconds, unless changed.
  ///
  /// ``observer`` is told when such a handler, or a ``perform(_:)`` block, has returned: one that never does isn't
  /// told. Callable from any thread; never blocks.
  public static var slowHandlerThreshold: Duration {
    get { Observation.current.slowHandlerThreshold }
    set { Observation.change { $0.slowHandlerThreshold = newValue } }
  }
}
