// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// A recipe: copy this file.

public import OpenCombine
public import RaceFreeFuture

extension ValueFuture {
  /// Makes a publisher that publishes the value and finishes, or fails with the error or the reason.
  ///
  /// Each subscriber gets the result on the thread that resolves the future. Callable from any thread; never blocks.
  ///
  /// - Parameter cancelsWork: Whether cancelling a subscription cancels this future, for all who wait for it.
  /// - Returns: The publisher, which keeps the future.
  public func publisher(cancelsWork: Bool = false) -> AnyPublisher<Value, any Error> {
    Deferred {
      var registration: Registration?
      let result = OpenCombine.Future<Value, any Error> { promise in
        // Safe: a promise may be called from any thread. It has a lock, and takes the first result only.
        nonisolated(unsafe) let promise = promise
        registration = onEnd(on: .inline) { unsafe promise($0) }
      }
      return result.handleEvents(receiveCancel: {
        registration?.unregister()
        if cancelsWork { cancel() }
      })
    }
    .eraseToAnyPublisher()
  }
}
