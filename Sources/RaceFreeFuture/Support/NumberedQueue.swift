// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// First in, first out, but each element gets a number, by which it can leave from any place; each call takes constant time
/// on average, and nothing is kept of what has left (law L7).
struct NumberedQueue<Element> {
  private struct Node {
    let element: Element
    var (previous, next): (Int?, Int?)
  }

  private var nodes: [Int: Node] = [:]
  /// The numbers of the first and the last element.
  private var (head, tail): (Int?, Int?) = (nil, nil)
  private var number = 0

  var count: Int { nodes.count }
  var first: Element? { head.flatMap { nodes[$0]?.element } }

  mutating func append(_ element: Element) -> Int {
    number += 1
    nodes[number] = Node(element: element, previous: tail, next: nil)
    if let tail { nodes[tail]?.next = number } else { head = number }
    tail = number
    return number
  }

  mutating func remove(_ number: Int) -> Element? {
    guard let node = nodes.take(number) else { return nil }
    if let previous = node.previous { nodes[previous]?.next = node.next } else { head = node.next }
    if let next = node.next { nodes[next]?.previous = node.previous } else { tail = node.previous }
    return node.element
  }

  mutating func popFirst() -> Element? { head.flatMap { remove($0) } }
}
