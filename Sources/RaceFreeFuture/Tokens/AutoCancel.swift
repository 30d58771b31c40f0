// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// Cancels a future when its last reference goes.
///
/// For work that belongs to an object: store it there, and the work is stopped when the object goes. Like Combine's
/// `AnyCancellable`. A handler of the same future must not keep it, nor the object that stores it: it would never go.
public final class AutoCancel: Sendable {
  /// What will be cancelled.
  public let token: CancelToken

  /// Makes an object that cancels when its last reference goes.
  ///
  /// - Parameter token: What will be cancelled, unless it is resolved by then.
  public init(_ token: CancelToken) {
    self.token = token
  }

  deinit {
    // Nested, if a handler of the token holds the next such object, and so on.
    Trampoline.run { [token] in token.cancel() }
  }
}

extension Future {
  /// Makes an object that cancels this future when its last reference goes.
  ///
  /// - Returns: The object: drop it and the future is cancelled, on the thread that dropped it and without blocking.
  public func cancelOnDeinit() -> AutoCancel {
    AutoCancel(cancelToken)
  }
}

extension CancelToken {
  /// Makes an object that cancels this token's future when its last reference goes.
  ///
  /// - Returns: The object: drop it and the future is cancelled, on the thread that dropped it and without blocking.
  public func cancelOnDeinit() -> AutoCancel {
    AutoCancel(self)
  }
}
