// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

public import Foundation
public import RaceFreeFuture
import Synchronization

/// One download: where from, where to, and the future in which it ends.
public final class Download: CancellableWork {
  /// How far it is.
  public struct Progress: Sendable {
    /// The bytes that have come.
    public var received = 0
    /// The bytes that are to come in all; nil: the server didn't say.
    public var expected: Int?
    var started: ContinuousClock.Instant?
    var ended: ContinuousClock.Instant?

    /// The time since the start, or between start and end; nil: not started.
    public var time: Duration? { started.map { $0.duration(to: ended ?? .now) } }
  }

  /// What was asked for.
  public let request: DownloadRequest
  /// The name of the file.
  public let name: String
  /// The file.
  ///
  /// It is there when the future is completed, and only then.
  public let file: URL
  /// Completed: the file is there.
  ///
  /// Cancelled: it isn't, once the transfer has tidied up; the reason says why.
  let future: Future

  /// Guards how far it is; written by the transfer, read by whoever shows it.
  private let state = Mutex(Progress())

  init(_ request: DownloadRequest, name: String, in folder: URL, within run: Future) {
    self.request = request
    self.name = name
    file = folder.appendingPathComponent(name)
    future = Future(linkedTo: run, label: name)
  }

  /// What others may do: cancel it, and wait for its end.
  public var cancelToken: CancelToken { future.cancelToken }

  /// How far it is.
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
