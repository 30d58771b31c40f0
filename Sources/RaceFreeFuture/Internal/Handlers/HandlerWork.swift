// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// What a handler does.
///
/// `@safe` in spite of the continuation: whoever has the claim takes the work, and runs it once.
@safe
enum HandlerWork: ~Copyable {
  case plain(@Sendable () -> Void)
  /// Gets the resolution, and whether the thread that runs it has the future's private queue.
  case detailed(@Sendable (Resolution, _ onPrivateQueue: Bool) -> Void)
  /// Goes on with a task.
  case awaiting(UnsafeContinuation<Resolution?, Never>)

  /// Runs it.
  ///
  /// `onPrivateQueue` says that this thread has the future's private queue: a task is then resumed from another one
  /// (law L6).
  consuming func run(_ resolution: Resolution, onPrivateQueue: Bool) {
    switch consume self {
    case .plain(let handler):
      handler()
    case .detailed(let handler):
      handler(resolution, onPrivateQueue)
    case .awaiting(let continuation):
      if onPrivateQueue {
        Hop.perform { unsafe continuation.resume(returning: resolution) }
      } else {
        unsafe continuation.resume(returning: resolution)
      }
    }
  }
}
