// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// MARK: - Await

extension ValueFuture {
  /// Suspends until there is a value, and returns it.
  ///
  /// If the awaiting task is cancelled while the future is pending, it leaves at once with `CancellationError` and
  /// leaves nothing behind; the future and whoever else waits for it are untouched. To stop the work with the task, use
  /// ``withFuture(of:label:onUndelivered:fileID:line:_:)``. A value that is there is returned also in a cancelled task.
  /// It starts a lazy future, on a global queue, unless the task is cancelled.
  ///
  /// A value that has an `onUndelivered` is received when this returns it; if the task leaves, it stays with the future.
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

  /// Suspends until there is a value, but not longer than the given time.
  ///
  /// It returns at the deadline also if the work ignores cancellation: it stops waiting, not the work. The future stays
  /// pending, and nothing is left behind at it. To stop the work as well use ``timeout(after:label:fileID:line:)`` or
  /// ``CancellableWork/cancel(after:throwing:fileID:line:)``. A value that has an `onUndelivered` is received when this returns it; one that comes
  /// after the deadline stays with the future. For the rest see ``value``.
  ///
  /// - Parameter interval: How long, measured as `DispatchTime` does. Zero or less doesn't wait, but starts a lazy
  ///   future: the limit is that of the wait, and not of the work.
  /// - Returns: The value.
  /// - Throws: ``TimeoutError`` if the future is still pending then; else as ``value`` does.
  public func value(within interval: Duration) async throws -> Value {
    if lazyWork != nil, !Task.isCancelled { demand() }
    guard let resolution = await future.awaitResolution(within: interval) else {
      if Task.isCancelled { throw CancellationError() }
      throw TimeoutError(interval: interval, label: future.name)
    }
    return try resolution.get(Value.self)
  }
}
