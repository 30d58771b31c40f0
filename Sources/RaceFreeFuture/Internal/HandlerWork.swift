// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// What a handler does.
///
/// `@safe` in spite of the continuation: who has the claim takes the work, and runs it once.
@safe
enum HandlerWork: ~Copyable {
  case plain(@Sendable () -> Void)
  /// Gets the resolution, and whether the thread that runs it has the future's private queue.
  case detailed(@Sendable (Resolution, _ onPrivateQueue: Bool) -> Void)
  /// Decides another future.
  case stage(Stage)
  /// Goes on with a task.
  case awaiting(UnsafeContinuation<Resolution?, Never>)

  /// Runs it; returns the decision that it asks for.
  ///
  /// `onPrivateQueue` says that this thread has the future's private queue: a task is then resumed from another one
  /// (law L6).
  consuming func run(_ resolution: Resolution, onPrivateQueue: Bool) -> Errand? {
    switch consume self {
    case .plain(let handler):
      handler()
    case .detailed(let handler):
      handler(resolution, onPrivateQueue)
    case .stage(let stage):
      return stage.run(resolution)
    case .awaiting(let continuation):
      if onPrivateQueue {
        Hop.perform { unsafe continuation.resume(returning: resolution) }
      } else {
        unsafe continuation.resume(returning: resolution)
      }
    }
    return nil
  }
}
