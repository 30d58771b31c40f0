// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

public import Dispatch

// MARK: - Attach work

extension CancellableWork {
  /// Starts work and registers a closure that stops it, in one call, so that no cancellation can come between the two.
  ///
  /// If the future is already cancelled, `start` isn't called. If it is cancelled at any later time, even while `start`
  /// runs, `stop` is called exactly once with the handle, after `start` has returned. `start` runs on the calling
  /// thread before this returns; `stop` runs inline, on the thread that cancels or, if the future was cancelled while
  /// `start` ran, on the calling thread. A completion releases `stop` and the handle.
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

  /// Cancels a dispatch source when the future is resolved, whatever the outcome; clean up in the source's own cancel
  /// handler.
  ///
  /// Set the source's handlers first: this method activates the source. A descriptor that the source watches is closed
  /// in its cancel handler, which Dispatch calls once and not before the last event handler has returned; so `cancel`
  /// and `complete` can be called any number of times, and nothing is closed twice. If the future is resolved already,
  /// the source is cancelled at once. If the future is released while it is pending, the source is cancelled as well.
  /// Cancelling the source itself doesn't affect the future. ``CancelToken/never`` only activates it: there is no
  /// outcome, so the source lives as long as you keep it.
  ///
  /// - Parameter source: The source. It is kept until the outcome; ``CancelToken/never`` doesn't keep it.
  public func attach(_ source: any DispatchSourceProtocol) {
    cancelToken.future.attachSource(source)
  }
}
