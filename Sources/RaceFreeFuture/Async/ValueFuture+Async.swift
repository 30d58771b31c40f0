// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// MARK: - Await

extension ValueFuture {
  /// Suspends until there is a value; doesn't cancel the work when the task is cancelled, but ``ownedValue`` does.
  ///
  /// The task resumes on its own executor, before the first handler starts. If it is cancelled while the future is
  /// pending, it continues at once, and the future isn't affected; an existing value is also returned in a cancelled
  /// task. This starts a lazy future, on a global queue, unless the task is cancelled. See <doc:Pitfalls#Five-waits>.
  ///
  /// A value that has an `onUndelivered` is received when this returns it.
  ///
  /// - Throws: The error of a failure, the reason of a cancellation, or `CancellationError` because the awaiting task
  ///   was cancelled.
  public var value: Value {
    get async throws {
      if lazyWork != nil, !Task.isCancelled { demand() }
      guard let resolution = await future.awaitResolution() else { throw CancellationError() }
      return try resolution.get(Value.self)
    }
  }

  /// Suspends until there is a value or a timeout has passed.
  ///
  /// The timeout ends the wait, not the work, and the future stays pending. To also stop the work use
  /// ``timeout(after:label:fileID:line:)`` or ``CancellableWork/cancel(after:throwing:fileID:line:)``. A late value
  /// stays with the future. Otherwise see ``value``.
  ///
  /// - Parameter interval: The longest time to wait. Zero or less doesn't wait, but starts
  ///   a lazy future: the timeout limits the wait, not the work.
  /// - Returns: The value.
  /// - Throws: ``TimeoutError`` if the future is still pending then; otherwise the errors of ``value``.
  public func value(within interval: Duration) async throws -> Value {
    if lazyWork != nil, !Task.isCancelled { demand() }
    guard let resolution = await future.awaitResolution(within: interval) else {
      if Task.isCancelled { throw CancellationError() }
      throw TimeoutError(interval: interval, label: future.name)
    }
    return try resolution.get(Value.self)
  }
}
