// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// MARK: - Hold work

extension Future {
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
  ///   - stop: Stops the work. It should be short.
  /// - Throws: What `start` threw; then nothing is hooked up.
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
