// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The work of a handler.
///
/// `@safe` in spite of the continuation: the owner of the claim takes the work, and runs it once.
@safe
enum HandlerWork: ~Copyable {
  case plain(@Sendable () -> Void)
  case detailed(@Sendable (Resolution) -> Void)
  /// The end of a deadline, with the reason to cancel for, if there is one of its own.
  case deadline(Timer, reason: (any Error)?)
  /// A task to resume.
  case awaiting(UnsafeContinuation<Resolution?, Never>)

  consuming func run(_ resolution: Resolution) {
    switch consume self {
    case .plain(let handler):
      handler()
    case .detailed(let handler):
      handler(resolution)
    case .deadline(let timer, _):
      timer.stop()
    case .awaiting(let continuation):
      if Resumption.hasToWait {
        Resumption.later { unsafe continuation.resume(returning: resolution) }
      } else {
        unsafe continuation.resume(returning: resolution)
      }
    }
  }
}
