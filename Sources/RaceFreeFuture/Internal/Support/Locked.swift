// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Synchronization

#if RFF_TSAN
  // ThreadSanitizer sees only the inlined fast path of `Mutex`, so every contended hand-over looks like a race to it.
  // Under `-DRFF_TSAN` the two calls below tell it what the lock orders.
  @_silgen_name("__tsan_acquire") private func tsanAcquire(_ address: UnsafeRawPointer)
  @_silgen_name("__tsan_release") private func tsanRelease(_ address: UnsafeRawPointer)
#endif

/// A value behind a `Mutex`: the only lock in this module.
///
/// The rule that keeps it free of deadlocks: **inside `withLock` nothing is called that could take a lock, run user
/// code or release a reference to either**. So no two locks are ever held at once, and a closure, an error or a future
/// that is taken out of a locked value is released by the caller, after `withLock` has returned.
package struct Locked<Value: ~Copyable>: ~Copyable, Sendable {
  private let mutex: Mutex<Value>
  #if RFF_TSAN
    /// Its address stands for the lock.
    private let identity = Identity()
    private final class Identity: Sendable {}
  #endif

  package init(_ value: consuming sending Value) {
    mutex = Mutex(value)
  }

  package borrowing func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    #if RFF_TSAN
      let address = unsafe UnsafeRawPointer(Unmanaged.passUnretained(identity).toOpaque())
      return try mutex.withLock { value throws(Failure) in
        unsafe tsanAcquire(address)
        defer { unsafe tsanRelease(address) }
        return try body(&value)
      }
    #else
      try mutex.withLock(body)
    #endif
  }
}
