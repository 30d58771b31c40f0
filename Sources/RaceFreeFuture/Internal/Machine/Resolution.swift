// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// An outcome with its reason or result.
enum Resolution: Sendable {
  case completed
  /// Completed, with the value that a value future delivers.
  case delivered(AnyValueBox)
  /// Completed with an error.
  case failed(any Error)
  case cancelled(any Error)
  /// Cancelled because a future to which it is linked was, or by a call whose place is recorded.
  case cascaded(CancellationTrace)

  var outcome: Future.Outcome {
    switch self {
    case .completed, .delivered, .failed: .completed
    case .cancelled, .cascaded: .cancelled
    }
  }

  /// The reason of a cancellation; nil for a completion.
  var reason: (any Error)? {
    switch self {
    case .completed, .delivered, .failed: nil
    case .cancelled(let reason): reason
    case .cascaded(let cascade): cascade.reason
    }
  }

  /// The error of a failure.
  var failure: (any Error)? {
    guard case .failed(let error) = self else { return nil }
    return error
  }

  /// The resolution that a future passes on to those linked to it.
  func passedOn(by future: Future) -> Resolution {
    switch self {
    case .completed, .delivered, .failed: self
    case .cancelled(let reason): .cascaded(CancellationTrace(reason, by: future))
    case .cascaded(let cascade): .cascaded(cascade.passedOn(by: future))
    }
  }
}
