// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import CMeasuring

/// How many bytes of memory one object takes, together with all that it holds: what the allocator hands out, its own headers and padding included.
///
/// - Parameters:
///   - make: Makes an object; its argument is the object's number.
///   - end: Does what has to be done with each object before it may be released.
/// - Returns: The bytes of one object.
func bytesPerObject<Object>(_ make: (Int) -> Object, end: (Object) -> Void = { _ in }) -> Double {
  let count = 100_000
  var objects: [Object] = []
  objects.reserveCapacity(count + 1)
  // What is made once comes with the first.
  objects.append(make(0))
  let before = allocated_bytes()
  for index in 1...count { objects.append(make(index)) }
  let after = allocated_bytes()
  for object in objects { end(object) }
  return (Double(after) - Double(before)) / Double(count)
}
