// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import RaceFreeFutureRuntime

/// The address of an object that is kept by somebody else, and may be on its way out.
///
/// What a `weak` reference is, without the side table, which costs every object that ever had one some hundred
/// instructions, and makes all later retains slower. In return the caller has to see to it that the memory is there: the
/// address is erased, under a lock, before the object's `deinit` is over, and read under the same lock. Then the only
/// question is whether that `deinit` has begun, and that is what the runtime answers.
@safe
struct LiveReference<Object: AnyObject> {
  private let reference: Unmanaged<Object>

  init(_ object: Object) { unsafe reference = Unmanaged.passUnretained(object) }

  /// The object, unless its last reference has gone.
  var object: Object? {
    guard let retained = unsafe rff_tryRetain(reference.toOpaque()) else { return nil }
    return unsafe Unmanaged<Object>.fromOpaque(retained).takeRetainedValue()
  }
}
