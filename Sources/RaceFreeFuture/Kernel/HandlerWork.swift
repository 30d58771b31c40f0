// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The work of a handler.
///
/// `@safe` in spite of the continuation: the owner of the claim takes the work, and runs it once.
@safe
enum HandlerWork: ~Copyable {
  case plain(@Sendable () -> Void)
  case detailed(@Sendable (Resolution) -> Void)
  /// Nothing at the outcome; the reason for which a deadline cancels, if it has one of its own.
  case deadline(reason: (any Error)?)
  /// Nothing at the outcome; the closure for a timer that completes the future.
  case completion(@Sendable (Future) -> Void)
  /// A task to resume.
  case awaiting(UnsafeContinuation<Resolution?, Never>)

  consuming func run(_ resolution: Resolution) {
    switch consume self {
    case .plain(let handler):
      CurrentFuture.runOutside(handler)
    case .detailed(let handler):
      CurrentFuture.runOutside { handler(resolution) }
    case .deadline:
      break
    case .completion:
      break
    case .awaiting(let continuation):
      if Resumption.hasToWait {
        Resumption.later { unsafe continuation.resume(returning: resolution) }
      } else {
        unsafe continuation.resume(returning: resolution)
      }
    }
  }
}

extension Context {
  /// Wraps the work of a handler to run in the context of the running code.
  @inline(never)
  static func carried(_ work: consuming HandlerWork) -> HandlerWork {
    switch consume work {
    case .plain(let handler):
      return .plain(carried(handler))
    case .detailed(let handler):
      guard let scope = captured() else { return .detailed(handler) }
      return .detailed { resolution in run(in: scope) { handler(resolution) } }
    case .deadline(let reason):
      return .deadline(reason: reason)
    case .completion(let complete):
      return .completion(complete)
    case .awaiting(let continuation):
      return unsafe .awaiting(continuation)
    }
  }
}
