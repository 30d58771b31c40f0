// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Foundation

/// A failure of a transfer that was to be started in a session whose delegate queue isn't serial; no request was made.
///
/// A session delivers the pieces of a body by operations in its delegate queue. If that queue runs several at once, as
/// an `OperationQueue` does by default, a piece can overtake another, or the end, without any notice. Let the session
/// make its queue (`delegateQueue: nil`), or set `maxConcurrentOperationCount` of your own to 1, and don't change it
/// later.
public struct ConcurrentDelegateQueueError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The `maxConcurrentOperationCount` of the session's delegate queue; -1 is the queue's default.
  public let maxConcurrentOperationCount: Int

  /// A description of the mistake and its remedy.
  public var description: String {
    "The delegate queue of this URLSession may run several operations at once (maxConcurrentOperationCount is "
      + "\(maxConcurrentOperationCount)), so that the pieces of a body can come in any order. Set it to 1, or give the "
      + "session no queue."
  }
}
