// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// First in, first out; it keeps nothing of what has left it (law L7), and takes the space of about twice the largest
/// number that was in it at once.
struct Queue<Element> {
  /// The elements in order, behind the places of some that have left.
  private var elements: [Element?] = []
  private var first = 0

  @inline(__always)
  var isEmpty: Bool { elements.isEmpty }
  /// The number of places that elements take or have left.
  var space: Int { elements.count }

  @inline(__always)
  mutating func append(_ element: Element) { elements.append(element) }

  @inline(__always)
  mutating func popFirst() -> Element? {
    guard first < elements.count else { return nil }
    let element = elements[first].take()
    first += 1
    if first == elements.count {
      // In a chain there is one at a time, and its space is used again.
      if first == 1 { elements.removeLast() } else { elements = [] }
      first = 0
    } else if first >= 32, first > elements.count / 2 {
      close()
    }
    return element
  }

  /// Removes the places of those that have left: as many as there were removals since the last time, so each takes
  /// constant time on average.
  @inline(never)
  private mutating func close() {
    elements.removeSubrange(..<first)
    first = 0
  }
}
