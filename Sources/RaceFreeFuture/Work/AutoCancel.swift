// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// An object that cancels work when its last reference is released.
///
/// For work that belongs to an object: store what ``CancellableWork/cancelOnDeinit()`` returns there, and the work is
/// cancelled when the object is released. Like Combine's `AnyCancellable`. A handler of the same future must not keep
/// it, nor the object that stores it: it would never be released. For much work use a ``Scope``, and keep this of the
/// scope.
public final class AutoCancel: Sendable {
  /// The token of the future.
  public let cancelToken: CancelToken

  fileprivate init(_ cancelToken: CancelToken) {
    self.cancelToken = cancelToken
  }

  deinit {
    // Nested, if a handler of the token holds the next such object, and so on.
    Trampoline.run { [cancelToken] in cancelToken.cancel() }
  }
}

extension CancellableWork {
  /// Creates an object that cancels this future when its last reference is released.
  ///
  /// - Returns: The object. Releasing it cancels the future, on the thread that releases it and without blocking.
  public func cancelOnDeinit() -> AutoCancel {
    AutoCancel(cancelToken)
  }
}
