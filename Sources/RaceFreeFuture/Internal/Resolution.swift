// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// An outcome together with what belongs to it: why it was cancelled, or what it brought.
enum Resolution: Sendable {
  case completed
  /// Completed, with a `Parcel`: what a value future hands to those who asked for its value.
  case delivered(any AnyObject & Sendable)
  case cancelled(any Error)

  var outcome: Future.Outcome {
    switch self {
    case .completed, .delivered: .completed
    case .cancelled: .cancelled
    }
  }

  /// The reason of a cancellation; nil for a completion.
  var reason: (any Error)? {
    switch self {
    case .completed, .delivered: nil
    case .cancelled(let reason): reason
    }
  }
}
