// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Synchronization

/// A reference to an object that is stored when it is first needed, and never changed.
///
/// Like `AtomicLazyReference` of the standard library; but that isn't specialized for the caller, and takes several
/// hundred instructions instead of one load.
///
/// Safe: the owned reference is counted when it is stored, and released at the end, when it can no longer be loaded.
/// Stored with release and loaded with acquire, so that a thread that finds the object finds it initialized. Relaxed at
/// the end: counting references has ordered everything that its users did before.
@safe
struct LazyReference<Object: AnyObject & Sendable>: ~Copyable, Sendable {
  private let reference = unsafe Atomic<Unmanaged<Object>?>(nil)

  deinit { unsafe reference.load(ordering: .relaxed)?.release() }

  /// The object; nil until one is stored.
  @inline(__always)
  var object: Object? { unsafe reference.load(ordering: .acquiring)?.takeUnretainedValue() }

  /// Stores an object unless there is one, and returns the stored one.
  func fill(with object: Object) -> Object {
    let mine = unsafe Unmanaged.passRetained(object)
    let (exchanged, theirs) = unsafe reference.compareExchange(
      expected: nil,
      desired: mine,
      ordering: .acquiringAndReleasing
    )
    guard !exchanged, let theirs = unsafe theirs else { return object }
    unsafe mine.release()
    return unsafe theirs.takeUnretainedValue()
  }
}
