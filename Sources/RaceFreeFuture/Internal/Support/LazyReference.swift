// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Synchronization

/// A place for an object that is put there when it is first needed, and stays.
///
/// The same as `AtomicLazyReference` of the standard library; but that isn't specialized for the caller, and takes
/// several hundred instructions for what is one load here.
///
/// Safe: the reference that the place owns is counted when it is stored, and released with the place, when nobody can
/// load any more. Stored with release and loaded with acquire, so that who finds the object finds it made.
@safe
struct LazyReference<Object: AnyObject & Sendable>: ~Copyable, Sendable {
  private let reference = unsafe Atomic<Unmanaged<Object>?>(nil)

  deinit { unsafe reference.load(ordering: .acquiring)?.release() }

  /// What is there; nil as long as nothing was put there.
  @inline(__always)
  var object: Object? { unsafe reference.load(ordering: .acquiring)?.takeUnretainedValue() }

  /// Puts an object there unless somebody has, and returns the one that is there then.
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
