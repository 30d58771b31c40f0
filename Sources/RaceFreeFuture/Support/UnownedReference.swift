// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import RaceFreeFutureRuntime

/// A reference that keeps the memory of an object, but not the object.
///
/// It counts as one of Swift's own `unowned` references, which can't be asked whether the object still exists. A `weak`
/// one can; but its side table costs every object that ever had one some hundred instructions, and makes all later
/// retains slower.
///
/// Safe: the memory is released with the last such reference, so the address is that of an object or of what is left of
/// one, and the runtime tells which. Both counts are atomic.
@safe
struct UnownedReference<Object: AnyObject>: ~Copyable {
  private let address: UnsafeMutableRawPointer

  init(_ object: Object) {
    unsafe address = Unmanaged.passUnretained(object).toOpaque()
    unsafe rff_unownedRetain(address)
  }

  deinit { unsafe rff_unownedRelease(address) }

  /// The object, unless its last reference was released.
  @inline(__always)
  var object: Object? {
    guard let retained = unsafe rff_tryRetain(address) else { return nil }
    return unsafe Unmanaged<Object>.fromOpaque(retained).takeRetainedValue()
  }
}
