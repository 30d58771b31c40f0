// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Console
import RaceFreeFuture

/// The end of a download: one line of the closing table.
public struct Report: Sendable {
  /// The three ways to end.
  ///
  /// A future has two; a failure is a cancellation by the worker itself.
  public enum Ending: Sendable {
    /// All bytes are in the file.
    case completed
    /// The download was stopped. `isAskedFor`: it ended as the user wanted.
    case cancelled(any Error, isAskedFor: Bool)
    /// The server, the network or the disk failed.
    case failed(DownloadError)
  }

  /// The name of the file.
  public let name: String
  /// The ending.
  public let ending: Ending
  /// The number of bytes received.
  public let bytes: Int
  /// The time it took; nil: it never started.
  public let time: Duration?

  /// True if it ended as the user wanted.
  public var isAsAsked: Bool {
    switch ending {
    case .completed: true
    case .cancelled(_, let isAskedFor): isAskedFor
    case .failed: false
    }
  }

  /// The ending in words: "completed", "cancelled: timed out after 1 s", "failed: HTTP 404".
  public var words: String {
    switch ending {
    case .completed: "completed"
    case .cancelled(let timeout as TimeoutError, _): "cancelled: timed out after \(timeout.interval.words)"
    case .cancelled(is CancellationError, _): "cancelled"
    case .cancelled(let reason, _): "cancelled: \(reason)"
    case .failed(let error): "failed: \(error)"
    }
  }

}

extension Report {
  init(_ download: Download) {
    let ending: Ending =
      switch download.cancellationReason {
      case nil: .completed
      case let error as DownloadError: .failed(error)
      case let error as TimeoutError: .cancelled(error, isAskedFor: download.request.isTimeoutAskedFor)
      case let reason?: .cancelled(reason, isAskedFor: true)
      }
    let progress = download.progress
    self.init(name: download.name, ending: ending, bytes: progress.received, time: progress.time)
  }
}

extension [Report] {
  /// The exit status: 0, all ended as asked; 1, one did not; 128 + n, signal n stopped one.
  public var exitStatus: Int32 {
    for report in self {
      if case .cancelled(let reason as Interruption, _) = report.ending { return reason.exitStatus }
    }
    return allSatisfy(\.isAsAsked) ? 0 : 1
  }
}
