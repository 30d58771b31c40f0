// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

public import Foundation

/// The URL to download, and the time to stop.
public struct DownloadRequest: Sendable {
  /// The URL.
  public var url: URL
  /// The time that it may take, counted from its start; nil: no limit.
  public var timeout: Duration?
  /// True if a timeout was asked for, and is no failure.
  public var isTimeoutAskedFor: Bool
  /// The time to stop it, counted from the start of the whole run; nil: never.
  public var stop: Duration?

  /// Describes one download.
  ///
  /// - Parameters:
  ///   - url: The URL.
  ///   - timeout: The time that it may take, counted from its start.
  ///   - isTimeoutAskedFor: True if a timeout was asked for.
  ///   - stop: The time to stop it, counted from the start of the whole run.
  public init(
    _ url: URL,
    timeout: Duration? = nil,
    isTimeoutAskedFor: Bool = false,
    stop: Duration? = nil
  ) {
    self.url = url
    self.timeout = timeout
    self.isTimeoutAskedFor = isTimeoutAskedFor
    self.stop = stop
  }
}
