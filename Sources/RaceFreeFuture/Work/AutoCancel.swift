// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// An object that cancels work when its last reference is released.
///
/// For work that belongs to an object, like Combine's `AnyCancellable`: let the object store what
/// ``CancellableWork/cancelOnDeinit()`` returns, and the work is cancelled when the object is released. For several
/// pieces of work, use a ``Scope``, and store what its `cancelOnDeinit()` returns. A handler of the same future must
/// keep neither this object nor its owner: they would never be released.
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
  /// Creates an object that cancels this future when the object's last reference is released.
  ///
  /// - Returns: The object. Releasing it cancels the future, on the thread that releases it and without blocking.
  public func cancelOnDeinit() -> AutoCancel {
    AutoCancel(cancelToken)
  }
}
