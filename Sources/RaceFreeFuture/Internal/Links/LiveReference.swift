// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import RaceFreeFutureRuntime

/// The address of an object that is kept elsewhere, and may be about to be released.
///
/// A `weak` reference without the side table, which costs every object that ever had one some hundred instructions, and
/// makes all later retains slower. In return the caller has to make sure that the memory is valid: the address is
/// erased, under a lock, before the object's `deinit` is over, and read under the same lock. Then the only question is
/// whether that `deinit` has begun, and the runtime answers that.
@safe
struct LiveReference<Object: AnyObject> {
  private let reference: Unmanaged<Object>

  init(_ object: Object) { unsafe reference = Unmanaged.passUnretained(object) }

  /// The object, unless its last reference was released.
  var object: Object? {
    guard let retained = unsafe rff_tryRetain(reference.toOpaque()) else { return nil }
    return unsafe Unmanaged<Object>.fromOpaque(retained).takeRetainedValue()
  }
}
