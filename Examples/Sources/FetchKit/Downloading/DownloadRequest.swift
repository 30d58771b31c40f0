// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

public import Foundation

/// What to download, and when to stop.
public struct DownloadRequest: Sendable {
  /// From where.
  public var url: URL
  /// How long it may take, counted from its start; nil: as long as it takes.
  public var timeout: Duration?
  /// Whether running out of time is what was asked for, and no failure.
  public var isTimeoutAskedFor: Bool
  /// When to stop it, counted from the start of the whole run; nil: not at all.
  public var stop: Duration?

  /// Describes one download.
  ///
  /// - Parameters:
  ///   - url: From where.
  ///   - timeout: How long it may take, counted from its start.
  ///   - isTimeoutAskedFor: Whether running out of time is what was asked for.
  ///   - stop: When to stop it, counted from the start of the whole run.
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
