// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// MARK: - Wait

extension ValueFuture {
  /// Blocks the calling thread until there is a value, and returns it.
  ///
  /// A lazy future that nobody has asked for yet does its work on this very thread. If the future is cancelled, whoever
  /// waits goes on at once. A wait that could never end stops the program with a message: one on the future's own
  /// private queue (see ``CancellableWork/wait()``), and one of background or lazy work, or of a closure of `map` and the like,
  /// that in the end waits for itself, be it in a circle over several futures and threads; see
  /// <doc:BackgroundAndLazy>. Don't block a thread of a global queue for work that needs the same pool.
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

  /// Blocks the calling thread until there is a value, but not longer than the given time.
  ///
  /// When it gives up it leaves nothing behind, and the future stays pending: to stop the work as well, use
  /// ``CancellableWork/cancel(after:throwing:fileID:line:)``. A lazy future does its work on a global queue, since work can't be left midway; also no
  /// time at all starts it, because the limit is that of the wait, and not of the work.
  ///
  /// - Parameter timeout: How long, measured as `DispatchTime` does. Zero or less doesn't wait.
  /// - Returns: The value.
  /// - Throws: ``TimeoutError`` if the future is still pending; else the error of a failure, or the reason of a
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

  /// Starts lazy work on a global queue, if nobody has.
  func demand() {
    lazyWork?.start(for: future)
  }
}
