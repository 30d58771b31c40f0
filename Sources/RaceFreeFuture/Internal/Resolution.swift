// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// An outcome together with what belongs to it: why it was cancelled, or what it brought.
enum Resolution: Sendable {
  case completed
  /// Completed, with what a value future hands to those who asked for its value.
  case delivered(AnyParcel)
  /// Completed with an error.
  case failed(any Error)
  case cancelled(any Error)

  var outcome: Future.Outcome {
    switch self {
    case .completed, .delivered, .failed: .completed
    case .cancelled: .cancelled
    }
  }

  /// The reason of a cancellation; nil for a completion.
  var reason: (any Error)? {
    switch self {
    case .completed, .delivered, .failed: nil
    case .cancelled(let reason): reason
    }
  }
}
