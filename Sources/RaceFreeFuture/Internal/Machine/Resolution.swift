// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// An outcome together with what belongs to it: why it was cancelled, or what it brought.
enum Resolution: Sendable {
  case completed
  /// Completed, with what a value future hands to those who asked for its value.
  case delivered(AnyValueBox)
  /// Completed with an error.
  case failed(any Error)
  case cancelled(any Error)
  /// Cancelled because a future was to which it is linked, or by a call whose place is recorded.
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

  /// What it means to a future that is linked to the one which was resolved.
  func handedOn(by future: Future) -> Resolution {
    switch self {
    case .completed, .delivered, .failed: self
    case .cancelled(let reason): .cascaded(CancellationTrace(reason, by: future))
    case .cascaded(let cascade): .cascaded(cascade.handedOn(by: future))
    }
  }
}
