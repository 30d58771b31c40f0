// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// A node that can stand in one `IntrusiveList`, and carries the list's references itself.
protocol IntrusiveNode: AnyObject {
  var next: Self? { get set }
  /// Not retained: a listed node is kept alive by the one before it, which is the one named here.
  var previous: Unmanaged<Self>? { get set }
  var isListed: Bool { get set }
}

/// A doubly linked list through its nodes: adding and removing take constant time whatever its length, and allocate
/// nothing.
///
/// The references it doesn't retain are safe because of who keeps whom alive: the list keeps the first node and each
/// node the next, so `last` and every `previous` name a node that is alive as long as the list isn't empty.
@safe
struct IntrusiveList<Node: IntrusiveNode> {
  private var first: Node?
  /// Not retained: the last node is kept alive by the chain that begins at `first`.
  private var last: Unmanaged<Node>?

  var isEmpty: Bool { first == nil }

  mutating func append(_ node: Node) {
    node.isListed = true
    unsafe node.previous = last
    if let last = unsafe last {
      unsafe last.takeUnretainedValue().next = node
    } else {
      first = node
    }
    unsafe last = Unmanaged.passUnretained(node)
  }

  /// Takes out a node that is in this list and that the caller keeps alive.
  mutating func remove(_ node: Node) {
    node.isListed = false
    if let next = node.next { unsafe next.previous = node.previous } else { unsafe last = node.previous }
    if let previous = unsafe node.previous {
      unsafe previous.takeUnretainedValue().next = node.next
    } else {
      first = node.next
    }
    node.next = nil
    unsafe node.previous = nil
  }

  /// Takes out all nodes at once, in constant time; they still are linked by `next`.
  mutating func takeAll() -> Node? {
    defer {
      first = nil
      unsafe last = nil
    }
    return first
  }

  /// Releases the nodes one after the other: a chain of a million must not be released by recursion (law L10).
  mutating func removeAll() {
    var node = takeAll()
    while let current = node {
      node = current.next
      current.next = nil
    }
  }

  func contains(where predicate: (Node) -> Bool) -> Bool {
    var node = first
    while let current = node {
      if predicate(current) { return true }
      node = current.next
    }
    return false
  }

  func forEach(_ body: (Node) -> Void) {
    var node = first
    while let current = node {
      body(current)
      node = current.next
    }
  }
}
