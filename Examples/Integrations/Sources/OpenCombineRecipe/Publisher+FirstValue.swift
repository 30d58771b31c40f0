// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// A recipe: copy this file.

public import OpenCombine
public import RaceFreeFuture

/// The error of a value future whose publisher has finished without a value.
public struct NoValueError: Error {
  /// Makes the error.
  public init() {}
}

extension Publisher where Output: Sendable {
  /// Subscribes, and makes a value future of the first value.
  ///
  /// A failure is a failure; finishing without a value is a ``NoValueError``. Cancelling the future cancels the
  /// subscription. Until its outcome the future is kept by the subscription.
  ///
  /// - Parameter label: A name for descriptions and errors.
  /// - Returns: The future.
  public func firstValue(label: String? = nil) -> ValueFuture<Output> {
    let future = ValueFuture<Output>(label: label)
    future.attach {
      let subscription = first().sink {
        if case .failure(let error) = $0 { future.complete(throwing: error) }
        future.complete(throwing: NoValueError())  // without effect after a value or an error
      } receiveValue: {
        future.complete(with: $0)
      }
      // Safe: it is cancelled once, by `stop`, and otherwise released.
      nonisolated(unsafe) let cancellable = subscription
      return { @Sendable in unsafe cancellable.cancel() }
    } stop: { cancel in
      cancel()
    }
    return future
  }
}
