// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// A recipe: copy this file.

public import Logging
public import RaceFreeFuture

/// Creates an observer that logs what nobody else may tell of: work that was abandoned, and errors that came after the
/// outcome.
///
/// - Parameters:
///   - logger: The logger.
///   - level: The level of the entries.
/// - Returns: The observer.
public func loggingObserver(
  to logger: Logger,
  at level: Logger.Level = .warning
) -> @Sendable (Future.Event) -> Void {
  { event in
    switch event.kind {
    case .abandoned, .failedTooLate: break
    // A completer was dropped. Where the cancellation came from another future, that one has been logged.
    case .cancelled(let cause) where cause.reason is AbandonedError && cause.path.isEmpty: break
    case .created, .completed, .failed, .cancelled: return
    }
    logger.log(level: level, "\(event)", metadata: ["future.created": "\(event.origin.place)"])
  }
}
