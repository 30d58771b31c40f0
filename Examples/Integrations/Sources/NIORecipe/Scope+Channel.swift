// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// A recipe: copy this file.

public import NIOCore
public import RaceFreeFuture

/// The reason of a scope that was cancelled because its channel was closed.
public struct ChannelClosedError: Error {
  /// Makes the error.
  public init() {}
}

extension Scope {
  /// Ties a channel and the scope of its connection together.
  ///
  /// When the channel is closed, by either side, the scope is cancelled with ``ChannelClosedError``. When the scope is
  /// cancelled, the channel is closed, and `drain` waits until it is. Callable from any thread; never blocks.
  ///
  /// - Parameter channel: The channel of the connection.
  public func bind(_ channel: any Channel) {
    let token = cancelToken
    let activity = beginActivity("channel")
    let closing = onCancel(on: .inline) { channel.close(promise: nil) }
    channel.closeFuture.whenComplete { _ in
      closing.unregister()
      token.cancel(throwing: ChannelClosedError())
      activity.end()
    }
  }
}
