// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

public import Foundation
public import RaceFreeFuture
import Synchronization

/// One download: its source, its destination, and the future of its end.
public final class Download: CancellableWork {
  /// The progress.
  public struct Progress: Sendable {
    /// The number of bytes received.
    public var received = 0
    /// The total number of bytes; nil: the server didn't say.
    public var expected: Int?
    var started: ContinuousClock.Instant?
    var ended: ContinuousClock.Instant?

    /// The time since the start, or between start and end; nil: not started.
    public var time: Duration? { started.map { $0.duration(to: ended ?? .now) } }
  }

  /// The request.
  public let request: DownloadRequest
  /// The name of the file.
  public let name: String
  /// The file.
  ///
  /// It exists when the future is completed, and only then.
  public let file: URL
  /// Completed: the file exists.
  ///
  /// Cancelled: it doesn't, once the transfer has cleaned up; the reason has the cause.
  let future: Future

  /// Guards the progress; written by the transfer, read by the display.
  private let state = Mutex(Progress())

  init(_ request: DownloadRequest, name: String, in folder: URL, within run: Future) {
    self.request = request
    self.name = name
    file = folder.appendingPathComponent(name)
    future = Future(linkedTo: run, label: name)
  }

  /// The token for cancelling it and waiting for its end.
  public var cancelToken: CancelToken { future.cancelToken }

  /// The progress.
  public var progress: Progress { state.withLock { $0 } }

  func begin() { state.withLock { $0.started = .now } }
  func receive(_ count: Int64, of total: Int64?) {
    state.withLock { state in
      guard state.ended == nil else { return }
      state.received = Int(count)
      state.expected = total.map { Int($0) }
    }
  }
  func end() { state.withLock { $0.ended = .now } }
}
