// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

public import Dispatch

// MARK: - Attach work

extension CancellableWork {
  /// Starts work and hooks up how to stop it, in one call, so that a cancellation can't fall between the two.
  ///
  /// If the future is already cancelled, `start` isn't called. If it is cancelled at any time after, `stop` is called
  /// exactly once with the handle, after `start` has returned: also when the cancellation came while `start` ran.
  /// `start` runs on the calling thread before this returns; `stop` runs inline, on the thread that cancels or, in that
  /// last case, on this one. A completion releases `stop` and the handle.
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
  ///   - start: Starts the work and returns its handle. It runs also if the future was completed.
  ///   - stop: Stops the work. It should be short. Neither it nor the handle, which is kept until the outcome, should
  ///     keep the completer of the future: then nobody would notice that the work was dropped.
  /// - Throws: What `start` threw; then nothing is hooked up.
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

  /// Cancels a dispatch source at the future's outcome, whichever it is: the source's own cancel handler is the place to
  /// clean up.
  ///
  /// Set the source's handlers before: this activates it. A descriptor that the source watches is closed in its cancel
  /// handler, which Dispatch calls once and not before the last event handler has returned; so `cancel` and `complete`
  /// can be called as often as you like, and nothing is closed twice. If the future is resolved already, the source is
  /// cancelled at once. If the future is released while it is pending, the source is cancelled as well. Cancelling the
  /// source itself says nothing to the future. ``CancelToken/never`` only activates it: there is no outcome, so the
  /// source lives as long as you keep it.
  ///
  /// - Parameter source: It is kept until the outcome, and not at all by ``CancelToken/never``.
  public func attach(_ source: any DispatchSourceProtocol) {
    cancelToken.future.attachSource(source)
  }
}
