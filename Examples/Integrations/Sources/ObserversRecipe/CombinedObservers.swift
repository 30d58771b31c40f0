// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// A recipe: copy this file.

public import RaceFreeFuture

/// Combines observers to one, which calls all of them in turn.
///
/// ```swift
/// Future.observer = combined(metricsObserver(), loggingObserver(to: logger), tracingObserver())
/// ```
///
/// - Parameter observers: The observers.
/// - Returns: The combined observer.
public func combined(_ observers: (@Sendable (Future.Event) -> Void)...) -> @Sendable (Future.Event) -> Void {
  { event in for observer in observers { observer(event) } }
}
