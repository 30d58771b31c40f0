// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// MARK: - Wait

extension ValueFuture {
  /// Blocks the calling thread until there is a value, and returns it.
  ///
  /// A lazy future whose value hasn't been requested yet runs its work on the calling thread. If the future is
  /// cancelled, the wait ends at once. See <doc:Pitfalls#Five-waits>.
  ///
  /// A wait that could never end stops the program with a message: on the future's own private queue, or in work that
  /// waits for itself (see <doc:BackgroundAndLazy>). Don't block a thread of a global queue for work that needs the
  /// same pool.
  ///
  /// A value that has an `onUndelivered` is received when this returns it.
  ///
  /// - Returns: The value.
  /// - Throws: The error of a failure, or the reason of a cancellation.
  @available(*, noasync, message: "it blocks the thread; await `value`")
  public func wait() throws -> Value {
    lazyWork?.run(for: future)
    _ = future.waitForOutcome()
    return try valueOfResolved
  }

  /// Blocks the calling thread until there is a value or a timeout has passed.
  ///
  /// A lazy future runs its work on a global queue, since a thread can't leave work midway; even a timeout of zero
  /// starts it. The timeout ends the wait, not the work: to also stop that, use
  /// ``CancellableWork/cancel(after:throwing:fileID:line:)``.
  ///
  /// - Parameter timeout: The longest time to wait, measured by `DispatchTime`. Zero or less doesn't wait.
  /// - Returns: The value.
  /// - Throws: ``TimeoutError`` if the future is still pending; otherwise the error of a failure, or the reason of a
  ///   cancellation.
  @available(*, noasync, message: "it blocks the thread; await `value(within:)`")
  public func wait(timeout: Duration) throws -> Value {
    demand()
    guard future.waitForOutcome(timeout: timeout) != nil else {
      throw TimeoutError(interval: timeout, label: future.name)
    }
    return try valueOfResolved
  }

  private var valueOfResolved: Value {
    get throws {
      guard let resolution = future.resolution else {
        fatalError("a waiter was woken by a future without an outcome: \(self)")
      }
      return try resolution.get(Value.self)
    }
  }

  /// Starts lazy work on a global queue, unless it was started already.
  func demand() {
    lazyWork?.start(for: future)
  }
}
