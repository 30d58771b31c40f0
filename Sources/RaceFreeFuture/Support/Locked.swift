// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

public import Synchronization

#if RFF_TSAN
  // ThreadSanitizer sees only the inlined fast path of `Mutex`, so it reports a race for every contended lock. With
  // `-DRFF_TSAN` the two calls below tell it the order that the lock establishes.
  @_silgen_name("__tsan_acquire") @usableFromInline func tsanAcquire(_ address: UnsafeRawPointer)
  @_silgen_name("__tsan_release") @usableFromInline func tsanRelease(_ address: UnsafeRawPointer)
#endif

/// A value behind a `Mutex`: the only lock in this module.
///
/// The rule that keeps it free of deadlocks: **inside `withLock` nothing is called that could take a lock, run user
/// code or release a reference to either**. So no two locks are ever held at once, and a closure, an error or a future
/// that is removed from a locked value is released by the caller, after `withLock` has returned.
///
/// A closure is stored in a struct or an enum, never bare: each turn would wrap it in another one, because generic code
/// takes and returns a closure in a form of its own, and after some thousand turns a call exhausts the stack.
/// `Scripts/lint.sh` finds such a value.
///
/// Inlinable, so that it is also specialized in the other modules of the package: through the runtime's metadata a turn
/// costs several times as much as the lock. For that the compiler requires it to be usable from inline, which doesn't
/// make it visible elsewhere.
@usableFromInline package struct Locked<Value: ~Copyable>: ~Copyable, Sendable {
  @usableFromInline let mutex: Mutex<Value>
  #if RFF_TSAN
    /// Its address stands for the lock.
    @usableFromInline let identity = Identity()
    @usableFromInline final class Identity: Sendable {
      @inlinable init() {}
    }
  #endif

  @inlinable package init(_ value: consuming sending Value) {
    mutex = Mutex(value)
  }

  @inlinable package borrowing func withLock<Result: ~Copyable, Failure: Error>(
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

  /// Removes something from the value, and releases it after the lock has been left.
  ///
  /// `_ = withLock { … }` doesn't promise that: the optimizer may release a result that isn't used as soon as the body has
  /// returned, while the lock is held, and what runs at the end of an object may come back for the lock.
  @inlinable package borrowing func release<Result>(_ body: (inout sending Value) -> sending Result) {
    let removed = withLock(body)
    withExtendedLifetime(removed) {}
  }
}
