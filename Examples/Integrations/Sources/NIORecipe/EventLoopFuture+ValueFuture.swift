// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// A recipe: copy this file.

public import NIOCore
public import RaceFreeFuture

extension ValueFuture {
  /// Makes an `EventLoopFuture` with the result of this future.
  ///
  /// It fails with the reason if this future is cancelled, and with `AbandonedError` if nobody can complete it any more.
  /// An `EventLoopFuture` can't be cancelled: keep this one, or its token, to do so. Callable from any thread; never
  /// blocks.
  ///
  /// - Parameter eventLoop: The loop on which its callbacks run.
  /// - Returns: The future of SwiftNIO.
  public func eventLoopFuture(on eventLoop: any EventLoop) -> EventLoopFuture<Value> {
    let promise = eventLoop.makePromise(of: Value.self)
    // A future of its own, because its source keeps it and it always has an outcome, so the promise is always fulfilled.
    let end = map { $0 }
    end.onEnd(on: .inline) { promise.completeWith($0) }
    return promise.futureResult
  }
}

extension EventLoopFuture where Value: Sendable {
  /// Makes a value future with the result of this future.
  ///
  /// Callable from any thread; never blocks.
  ///
  /// - Parameters:
  ///   - label: A name for descriptions and errors.
  ///   - onUndelivered: Gets a value that comes after a cancellation, such as a channel, to close it.
  ///   - stop: Stops the work when the value future is cancelled, on the thread that cancels. Without it the work
  ///     continues, and its value goes to `onUndelivered`.
  /// - Returns: The value future.
  public func valueFuture(
    label: String? = nil,
    onUndelivered: (@Sendable (Value) -> Void)? = nil,
    stop: @escaping @Sendable () -> Void = {}
  ) -> ValueFuture<Value> {
    let future = ValueFuture<Value>(label: label, onUndelivered: onUndelivered)
    future.onCancel(on: .inline, stop)
    whenComplete { future.complete(with: $0) }
    return future
  }
}
