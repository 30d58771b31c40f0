// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import CRaceFreeFuture

/// A reference that keeps the memory of an object, but not the object.
///
/// It counts as one of Swift's own `unowned` references, which can't be asked whether the object still exists. A `weak`
/// reference can; but its side table costs every object that ever had one some hundred instructions, and makes all
/// later retains slower.
///
/// Safe: the memory is released with the last such reference, so the address is that of an object or of its remains,
/// and the runtime tells which. Both counts are atomic.
@safe
struct UnownedReference<Object: AnyObject>: ~Copyable {
  /// The address, for code that knows that the memory is kept.
  ///
  /// `@unchecked Sendable` because it is only a number.
  @safe
  struct Address: @unchecked Sendable {
    fileprivate let reference: Unmanaged<Object>

    fileprivate var pointer: UnsafeMutableRawPointer { unsafe reference.toOpaque() }

    /// The object, unless its last reference was released.
    @inline(__always)
    var object: Object? {
      unsafe rff_tryRetain(pointer) == nil ? nil : reference.takeRetainedValue()
    }
  }

  let address: Address

  init(_ object: Object) {
    address = unsafe Address(reference: Unmanaged.passUnretained(object))
    unsafe rff_unownedRetain(address.pointer)
  }

  deinit { unsafe rff_unownedRelease(address.pointer) }

  /// The object, unless its last reference was released.
  @inline(__always) var object: Object? { address.object }
}
