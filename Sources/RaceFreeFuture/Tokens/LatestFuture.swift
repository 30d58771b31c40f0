// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// A slot for the latest of several pieces of work, of which only the latest counts.
///
/// Putting something in cancels what was in it: search-as-you-type in one line. Callable from any thread; whichever
/// call comes last wins, and all others are cancelled.
///
/// ```swift
/// let latest = LatestFuture()
/// func textDidChange(_ text: String) {
///   latest.replace(with: search(text))
/// }
/// ```
///
/// Dropping the slot cancels nothing.
public final class LatestFuture: Sendable {
  private let slot = Locked<CancelToken?>(nil)

  /// Makes an empty slot.
  public init() {}

  /// What is in the slot, resolved or not; nil if it is empty.
  public var current: CancelToken? {
    slot.withLock { $0 }
  }

  /// Puts work in and cancels what was in the slot, without blocking.
  ///
  /// Putting in what is there already does nothing.
  ///
  /// - Parameters:
  ///   - token: The new work.
  ///   - reason: The reason that the old work is cancelled with.
  public func replace(with token: CancelToken, throwing reason: any Error = CancellationError()) {
    exchange(token, reason)
  }

  /// Puts work in and cancels what was in the slot, without blocking.
  ///
  /// - Parameters:
  ///   - future: The new work.
  ///   - reason: The reason that the old work is cancelled with.
  public func replace(with future: Future, throwing reason: any Error = CancellationError()) {
    exchange(future.cancelToken, reason)
  }

  /// Empties the slot and cancels what was in it, without blocking.
  ///
  /// - Parameter reason: The reason that the work is cancelled with.
  public func cancel(throwing reason: any Error = CancellationError()) {
    exchange(nil, reason)
  }

  private func exchange(_ token: CancelToken?, _ reason: any Error) {
    let old = slot.withLock { slot in
      defer { slot = token }
      return slot
    }
    // Outside of the lock: cancelling runs inline handlers, and `old` may be the last reference.
    if let old, old != token { old.cancel(throwing: reason) }
  }
}
