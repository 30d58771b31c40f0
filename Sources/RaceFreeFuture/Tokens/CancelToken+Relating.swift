// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

public import Dispatch

// MARK: - Hold work

extension CancelToken {
  /// Starts work and hooks up how to stop it, in one call; see ``Future/attach(_:stop:)``.
  ///
  /// - Parameters:
  ///   - start: Starts the work and returns its handle. Not called if the future is cancelled already.
  ///   - stop: Stops the work: called once, with the handle, if the future is cancelled at any time after.
  /// - Throws: What `start` threw; then nothing is hooked up.
  public func attach<Handle: Sendable, E: Error>(
    _ start: () throws(E) -> Handle,
    stop: @escaping @Sendable (Handle) -> Void
  ) throws(E) {
    try future.attach(start, stop: stop)
  }

  /// Cancels a dispatch source at the outcome; see ``Future/attach(_:)``.
  ///
  /// - Parameter source: It is activated, and kept until the outcome.
  public func attach(_ source: any DispatchSourceProtocol) {
    future.attach(source)
  }
}

// MARK: - Relate

extension CancelToken {
  /// From now on, when this token's future is cancelled the other one is cancelled as well; see
  /// ``Future/cascadeCancellation(to:)``.
  ///
  /// - Parameter other: The future that follows. The link doesn't keep it alive.
  public func cascadeCancellation(to other: Future) {
    future.cascadeCancellation(to: other)
  }

  /// From now on, when this token's future is cancelled the other one is cancelled as well; see
  /// ``Future/cascadeCancellation(to:)``.
  ///
  /// - Parameter other: The token of the future that follows. The link doesn't keep it alive.
  public func cascadeCancellation(to other: CancelToken) {
    future.cascadeCancellation(to: other.future)
  }

  /// Makes a future that completes when all the given ones have, and is cancelled as soon as one is; see
  /// ``Future/all(_:)``.
  ///
  /// - Parameter tokens: The tokens of the futures.
  /// - Returns: The new future.
  public static func all(_ tokens: [CancelToken]) -> Future {
    Future.all(tokens.map(\.future))
  }

  /// Makes a future that completes with the first of the given ones, and is cancelled when all are; see
  /// ``Future/any(_:)``.
  ///
  /// - Parameter tokens: The tokens of the futures.
  /// - Returns: The new future.
  public static func any(_ tokens: [CancelToken]) -> Future {
    Future.any(tokens.map(\.future))
  }

  /// Cancels the future when the given time has passed, unless it is resolved before; see
  /// ``Future/cancel(after:throwing:)``.
  ///
  /// - Parameters:
  ///   - interval: How long. Zero or less: cancelled at once. `.never`: no timer is set.
  ///   - reason: Why; by default a ``TimeoutError``.
  /// - Returns: What takes the timer back.
  @discardableResult
  public func cancel(after interval: DispatchTimeInterval, throwing reason: (any Error)? = nil) -> Registration {
    future.cancel(after: interval, throwing: reason)
  }
}

// MARK: - Wait

extension CancelToken {
  /// Blocks the calling thread until the future is resolved; see ``Future/wait()``.
  ///
  /// - Returns: The outcome.
  @available(*, noasync, message: "it blocks the thread; await `outcome` or `value`")
  public func wait() -> Future.Outcome { future.wait() }

  /// Blocks the calling thread until the future is resolved, but not longer than the given time; see
  /// ``Future/wait(timeout:)``.
  ///
  /// - Parameter timeout: How long.
  /// - Returns: The outcome; nil if the future is still pending.
  @available(*, noasync, message: "it blocks the thread; await `outcome` or `value`")
  public func wait(timeout: DispatchTimeInterval) -> Future.Outcome? { future.wait(timeout: timeout) }

  /// Suspends until the future is completed; throws if it, or the awaiting task, is cancelled; see ``Future/value``.
  ///
  /// - Throws: ``cancellationReason``, or `CancellationError` because the awaiting task was cancelled.
  public var value: Void {
    get async throws { try await future.value }
  }

  /// Suspends until the future is resolved; see ``Future/outcome``.
  public var outcome: Future.Outcome {
    get async { await future.outcome }
  }

  /// Suspends until the future is resolved and all its handlers have returned; see ``Future/handlersFinished``.
  public var handlersFinished: Future.Outcome {
    get async { await future.handlersFinished }
  }
}
