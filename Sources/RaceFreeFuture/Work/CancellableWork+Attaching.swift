// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// MARK: - Attach work

extension CancellableWork {
  /// Starts work and registers a closure that stops it, in one call, so that no cancellation can come between the two.
  ///
  /// `start` runs on the calling thread before this returns, unless the future is already cancelled. If the future is
  /// cancelled at any later time, even while `start` runs, `stop` is called exactly once with the handle, after `start`
  /// has returned. It runs inline, on the thread that cancels or, if the future was cancelled while `start` ran, on the
  /// calling thread. A completion releases `stop` and the handle.
  ///
  /// ```swift
  /// future.attach {
  ///   api.fetch { future.complete() }
  /// } stop: { request in
  ///   request.cancel()
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - start: Starts the work and returns its handle. It also runs if the future was completed.
  ///   - stop: Stops the work. It should be short. Neither it nor the handle, which is kept until the outcome, should
  ///     keep the completer of the future: dropped work would then go unnoticed.
  /// - Throws: The error thrown by `start`; `stop` is not registered then.
  @inlinable
  public func attach<Handle: Sendable, E: Error>(
    _ start: () throws(E) -> Handle,
    stop: @escaping @Sendable (Handle) -> Void
  ) throws(E) {
    guard !isCancelled else { return }
    let handle = try start()
    // If the future has been cancelled meanwhile this handler is a late one, and has run when the call returns.
    onCancel(on: .inline) { stop(handle) }
  }
}
