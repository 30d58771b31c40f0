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
  /// its own purposes count as well; ``never`` doesn't.
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
  /// ``observer`` is told when such a handler, or a ``perform(_:)->()`` block, has returned: one that never does isn't
  /// told.
  public static var slowHandlerThreshold: Duration {
    get { Observation.current.slowHandlerThreshold }
    set { Observation.change { $0.slowHandlerThreshold = newValue } }
  }

  /// What the futures are called through which the cancellation of this one came: first the one with which it began,
  /// last the one that is linked to this one.
  ///
  /// Empty unless the future was cancelled through links: those of ``init(linkedTo:_:label:fileID:line:)-(Future,_,_,_,_)``,
  /// ``cascadeCancellation(to:)``, ``passControl(to:)`` and of futures that were made from others. Each is called by its
  /// label or by the place where it was made. Of a path of more than six the ones in the middle are left out, and
  /// counted. For people; the form of the names may change.
  public var cancellationPath: [String] {
    guard case .cascaded(let cascade)? = resolution else { return [] }
    return cascade.path
  }
}

extension CancelToken {
  /// What the futures are called through which the cancellation came; see ``Future/cancellationPath``.
  public var cancellationPath: [String] { future.cancellationPath }
}
