// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Synchronization

/// The current order of an exploration, ready for a signal handler.
///
/// Written by the thread that explores. A place is written before the count includes it, with release and acquire, so
/// that a handler on another thread reads only places that are filled; that makes it `@unchecked Sendable`, and each
/// use of the pointer is below the capacity.
@safe package final class OrderNote: @unchecked Sendable {
  private static let capacity = 8_192
  private let lines = UnsafeMutablePointer<UInt16>.allocate(capacity: capacity)
  private let count = Atomic(0)
  /// True if a step didn't fit; used by the thread that explores.
  private var isFull = false
  private static let drawingCapacity = 16_384
  /// The diagram of the steps so far, for an order that is drawn.
  private let drawing = UnsafeMutablePointer<UInt8>.allocate(capacity: drawingCapacity)
  private let drawn = Atomic(0)

  package init() {}

  deinit {
    unsafe lines.deallocate()
    unsafe drawing.deallocate()
  }

  /// Begins a new order.
  package func begin() {
    count.store(0, ordering: .releasing)
    drawn.store(0, ordering: .releasing)
    isFull = false
  }

  /// Replaces the diagram.
  package func draw(_ text: String) {
    drawn.store(0, ordering: .releasing)
    let bytes = Array(text.utf8.prefix(Self.drawingCapacity))
    // As many as there are, and no more than fit.
    unsafe drawing.update(from: bytes, count: bytes.count)
    drawn.store(bytes.count, ordering: .releasing)
  }

  /// Adds a step of a line; the first one that doesn't fit ends the note.
  package func step(_ line: Int) {
    let place = count.load(ordering: .relaxed)
    guard !isFull, place < Self.capacity, let line = UInt16(exactly: line) else {
      isFull = true
      return
    }
    unsafe (lines + place).initialize(to: line)
    count.store(place + 1, ordering: .releasing)
  }

  /// Writes the order; in a signal handler.
  func speak(_ words: inout LastWords) {
    words.add("  in the order .replay(\"")
    let end = count.load(ordering: .acquiring)
    // As `OrderText` writes it.
    var hasDigits = true
    var index = 0
    while index < end {
      if unsafe OrderText.digit(Int(lines[index])) == nil { hasDigits = false }
      index += 1
    }
    index = 0
    while index < end {
      let line = unsafe Int(lines[index])
      if hasDigits {
        words.add(OrderText.digit(line) ?? 0)
      } else {
        if index > 0 { words.add(UInt8(ascii: ".")) }
        words.addPlain(line)
      }
      index += 1
    }
    words.add("\")\n")
    let length = drawn.load(ordering: .acquiring)
    index = 0
    while index < length {
      unsafe words.add(drawing[index])
      index += 1
    }
  }
}
