// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import CRaceFreeFuture
public import Synchronization

// ThreadSanitizer sees only the inlined fast path of `Mutex`, so it reports a race for every contended lock. With
// `-DRFF_TSAN` these tell it the order that the lock establishes. They are there without it, too, so that tests which
// are compiled without it fit.
@usableFromInline package func tsanAcquire(_ address: UnsafeRawPointer) { unsafe rff_acquire(address) }
@usableFromInline package func tsanRelease(_ address: UnsafeRawPointer) { unsafe rff_release(address) }

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

  @inlinable package init(_ value: consuming sending Value) {
    mutex = Mutex(value)
  }

  @inlinable package borrowing func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    #if RFF_TSAN
      // A mutex isn't moved while it is borrowed, and nobody else has its address until it is gone.
      let address = unsafe withUnsafePointer(to: mutex) { unsafe UnsafeRawPointer($0) }
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
