// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Synchronization

/// The current order of an exploration, ready for a signal handler.
///
/// Written by the thread that explores. A place is written before the count includes it, with release and acquire, so
/// that a handler on another thread reads only places that are filled; that makes it `@unchecked Sendable`, and each
/// use of the pointer is below the capacity.
@safe final class OrderNote: @unchecked Sendable {
  private static let capacity = 4_096
  private let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
  private let count = Atomic(0)

  deinit { unsafe bytes.deallocate() }

  /// Begins a new order.
  func begin() { count.store(0, ordering: .releasing) }

  /// Adds a step of a line; steps that don't fit are left out.
  func step(_ line: Int) {
    let place = count.load(ordering: .relaxed)
    guard place < Self.capacity, let digit = OrderText.digit(line) else { return }
    unsafe (bytes + place).initialize(to: digit)
    count.store(place + 1, ordering: .releasing)
  }

  /// Writes the order; in a signal handler.
  func speak(_ words: inout LastWords) {
    words.add("  in the order .replay(\"")
    let end = count.load(ordering: .acquiring)
    var index = 0
    while index < end {
      unsafe words.add(bytes[index])
      index += 1
    }
    words.add("\")\n")
  }
}
