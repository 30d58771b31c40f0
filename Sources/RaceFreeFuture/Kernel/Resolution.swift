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
    case .cancelled(let reason): .cascaded(CancellationTrace(reason, names: [FutureName(future)]))
    case .cascaded(let cascade): .cascaded(cascade.passedOn(by: FutureName(future)))
    }
  }

  /// The resolution for a cancellation, with the place where it began, if recorded.
  static func cancelled(_ reason: any Error, at site: CreationSite?) -> Resolution {
    guard let site else { return .cancelled(reason) }
    return .cascaded(CancellationTrace(reason, at: site))
  }

  /// The cancellation, if it is one.
  var cancellation: Cancellation? {
    guard let reason else { return nil }
    guard case .cascaded(let trace) = self else { return Cancellation(reason: reason, path: [], site: nil) }
    return Cancellation(reason: reason, path: trace.path, site: trace.site)
  }

  /// The resolution for an error thrown by a user's closure: `CancellationError` cancels, every other error fails.
  ///
  /// The one place of this rule. Any error that is *passed* to `complete(throwing:)` is a failure.
  static func thrown(_ error: any Error) -> Resolution {
    error is CancellationError ? .cancelled(error) : .failed(error)
  }
}
