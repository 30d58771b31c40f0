// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// An outcome together with what belongs to it: why it was cancelled.
enum Resolution: Sendable {
  case completed
  case cancelled(any Error)

  var outcome: Future.Outcome {
    switch self {
    case .completed: .completed
    case .cancelled: .cancelled
    }
  }

  /// The reason of a cancellation; nil for a completion.
  var reason: (any Error)? {
    switch self {
    case .completed: nil
    case .cancelled(let reason): reason
    }
  }
}
