// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The work of a handler.
///
/// `@safe` in spite of the continuation: the owner of the claim takes the work, and runs it once.
@safe
enum HandlerWork: ~Copyable {
  case plain(@Sendable () -> Void)
  /// A closure that takes the resolution, and whether the thread that runs it has the future's private queue.
  case detailed(@Sendable (Resolution, _ onPrivateQueue: Bool) -> Void)
  /// A task to resume.
  case awaiting(UnsafeContinuation<Resolution?, Never>)

  /// Runs the work.
  ///
  /// `onPrivateQueue` tells that this thread has the future's private queue: a task is then resumed from another thread
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
