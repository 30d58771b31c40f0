// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// MARK: - Wait

// Disfavored: `try? future.wait(timeout: limit)` of a value future would otherwise mean the outcome, which is already
// optional, and not the value.
extension CancellableWork {
  /// Blocks the calling thread until the future is resolved.
  ///
  /// The thread continues before handlers run: to also wait for these, await ``handlersFinished``. A wait that could
  /// never end stops the program with a message: for a pending future on its own private queue, and for
  /// ``CancelToken/never``. Don't block a thread of a global queue for work that needs the same pool. See
  /// <doc:Pitfalls#Five-waits>.
  ///
  /// - Returns: The outcome.
  @inlinable
  @_disfavoredOverload
  @available(*, noasync, message: "it blocks the thread; await `outcome` or `value`")
  public func wait() -> Future.Outcome { cancelToken.future.waitForOutcome() }

  /// Blocks the calling thread until the future is resolved or a timeout has passed.
  ///
  /// Like ``wait()``, but it always ends, and leaves nothing registered with the future when it times out.
  ///
  /// - Parameter timeout: The longest time to wait, measured by `DispatchTime`. Zero or less doesn't wait.
  /// - Returns: The outcome; nil if the future is still pending.
  @inlinable
  @_disfavoredOverload
  @available(*, noasync, message: "it blocks the thread; await `outcome` or `value`")
  public func wait(timeout: Duration) -> Future.Outcome? { cancelToken.future.waitForOutcome(timeout: timeout) }
}
