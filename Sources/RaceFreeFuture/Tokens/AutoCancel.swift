// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// Cancels work when its last reference goes.
///
/// For work that belongs to an object: store it there, and the work is stopped when the object goes. Like Combine's
/// `AnyCancellable`. A handler of the same future must not keep it, nor the object that stores it: it would never go.
public final class AutoCancel: CancellableWork {
  /// The token of what will be cancelled.
  public let cancelToken: CancelToken

  /// Makes an object that cancels when its last reference goes.
  ///
  /// - Parameter work: What will be cancelled, unless it is resolved by then.
  public init(_ work: some CancellableWork) {
    cancelToken = work.cancelToken
  }

  deinit {
    // Nested, if a handler of the token holds the next such object, and so on.
    Trampoline.run { [cancelToken] in cancelToken.cancel() }
  }
}

extension CancellableWork {
  /// Makes an object that cancels this future when its last reference goes.
  ///
  /// - Returns: The object: drop it and the future is cancelled, on the thread that dropped it and without blocking.
  public func cancelOnDeinit() -> AutoCancel {
    AutoCancel(self)
  }
}
