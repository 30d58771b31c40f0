// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// A value for each round of a batch, such as the answers of one actor.
///
/// Each place is filled by one thread and emptied by another one, and between the two the first thread signals a
/// semaphore that the second one waits for, or the other way round; no two threads use one place at the same time. That
/// makes it `@unchecked Sendable`, and each use of the pointer below safe: places are less than `capacity`, and filled
/// when they are read or emptied. Values that remain at the end are never released: they belong to a batch in which an
/// actor got stuck, and may still use them.
@safe final class Column<Element: Sendable>: @unchecked Sendable {
  private let elements: UnsafeMutablePointer<Element>

  init(capacity: Int) {
    // Cache lines of its own: writes of one actor shouldn't slow down another. Two, as processors fetch them in pairs.
    let line = 128
    let bytes = (capacity * MemoryLayout<Element>.stride + line - 1) / line * line
    let alignment = max(line, MemoryLayout<Element>.alignment)
    let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: alignment)
    unsafe elements = memory.bindMemory(to: Element.self, capacity: capacity)
  }

  deinit { unsafe UnsafeMutableRawPointer(elements).deallocate() }

  /// Fills an empty place.
  func put(_ element: consuming Element, at place: Int) { unsafe (elements + place).initialize(to: element) }

  /// The value at a place.
  subscript(place: Int) -> Element { unsafe elements[place] }

  /// Removes and returns the value at a place.
  func take(at place: Int) -> Element { unsafe (elements + place).move() }
}
