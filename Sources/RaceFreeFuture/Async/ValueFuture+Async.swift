// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// MARK: - Await

extension ValueFuture {
  /// Suspends until there is a value; doesn't cancel the work when the task is cancelled, but ``ownedValue`` does.
  ///
  /// If the awaiting task is cancelled while the future is pending, the task continues at once with `CancellationError`
  /// and leaves nothing registered; the future and others that wait for it aren't affected, as with `value` of a `Task`. An
  /// existing value is also returned in a cancelled task. It starts a lazy future, on a global queue, unless the task is
  /// cancelled.
  ///
  /// A value that has an `onUndelivered` is received when this returns it; if the task is cancelled, it stays with the
  /// future.
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
  /// It returns at the deadline even if the work ignores cancellation: it stops the wait, not the work. The future
  /// stays pending, and nothing is left registered with it. To also stop the work use
  /// ``timeout(after:label:fileID:line:)`` or ``CancellableWork/cancel(after:throwing:fileID:line:)``. A value that has
  /// an `onUndelivered` is received when this returns it; one that comes after the deadline stays with the future.
  /// Otherwise see ``value``.
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
