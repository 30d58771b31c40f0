// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

public import Dispatch
import Foundation

/// Why a download failed: the reason with which the worker itself cancels its future.
public enum DownloadError: Error, Hashable, CustomStringConvertible {
  /// The server answered with a status other than 2xx.
  case status(Int)
  /// The connection ended before the body did.
  case incomplete(received: Int, expected: Int)
  /// The network, in words.
  case network(String)
  /// The file couldn't be written, in words.
  case file(String)

  /// One line, for people.
  public var description: String {
    switch self {
    case .status(let code): "HTTP \(code)"
    case .incomplete(let received, let expected):
      "connection lost at \(grouped(received)) of \(grouped(expected)) bytes"
    case .network(let words): words
    case .file(let words): "cannot write: \(words)"
    }
  }
}

/// Somebody asked to stop: `--cancel-after`.
public struct StopRequest: Error, Equatable, CustomStringConvertible {
  /// When, counted from the start of the whole run.
  public let interval: DispatchTimeInterval

  /// A request to stop.
  public init(after interval: DispatchTimeInterval) {
    self.interval = interval
  }

  /// One line, for people.
  public var description: String { "by hand, \(interval.words) after the start" }
}

/// The user pressed Ctrl-C, or somebody sent the process another signal to end.
public struct Interruption: Error, Hashable, CustomStringConvertible {
  /// The signal's number.
  public let signal: Int32

  /// An interruption by a signal.
  public init(signal: Int32) {
    self.signal = signal
  }

  /// One line, for people.
  public var description: String { signal == SIGINT ? "Ctrl-C" : "signal \(signal)" }
}
