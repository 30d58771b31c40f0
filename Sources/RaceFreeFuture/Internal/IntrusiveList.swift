// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// A node that can stand in one `IntrusiveList`, and carries the list's references itself.
protocol IntrusiveNode: AnyObject {
  var next: Self? { get set }
  /// The node before it; that of the first one is the last one of the list.
  ///
  /// Not retained: a listed node is kept alive by the one before it, the last one by the whole chain.
  var previous: Unmanaged<Self>? { get set }
  var isListed: Bool { get set }
}

/// A doubly linked list through its nodes: adding and removing take constant time whatever its length, and allocate
/// nothing.
///
/// It is a single word, because every future has one: the first node knows the last.
///
/// The references it doesn't retain are safe because of who keeps whom alive: the list keeps the first node and each
/// node the next, so every `previous` names a node that is alive as long as the list isn't empty.
@safe
struct IntrusiveList<Node: IntrusiveNode> {
  private var first: Node?

  var isEmpty: Bool { first == nil }

  /// Whether there is a first node, and it matches.
  func begins(with predicate: (Node) -> Bool) -> Bool { first.map(predicate) ?? false }

  mutating func append(_ node: Node) {
    node.isListed = true
    guard let first else {
      unsafe node.previous = Unmanaged.passUnretained(node)
      first = node
      return
    }
    unsafe node.previous = first.previous
    unsafe first.previous?._withUnsafeGuaranteedRef { $0.next = node }
    unsafe first.previous = Unmanaged.passUnretained(node)
  }

  mutating func prepend(_ node: Node) {
    guard let first else { return append(node) }
    node.isListed = true
    node.next = first
    unsafe node.previous = first.previous
    unsafe first.previous = Unmanaged.passUnretained(node)
    self.first = node
  }

  /// Takes out the nodes before the first one that doesn't match; they still are linked by `next`.
  mutating func takePrefix(while predicate: (Node) -> Bool) -> Node? {
    guard let head = first, predicate(head) else { return nil }
    let tail = unsafe head.previous
    var last = head
    last.isListed = false
    while let node = last.next, predicate(node) {
      node.isListed = false
      last = node
    }
    first = last.next
    last.next = nil
    unsafe first?.previous = tail
    return head
  }

  /// Takes out a node that is in this list and that the caller keeps alive.
  mutating func remove(_ node: Node) {
    node.isListed = false
    if node === first {
      unsafe node.next?.previous = node.previous
      first = node.next
    } else {
      // After the last one comes what the first one knows of it.
      unsafe (node.next ?? first)?.previous = node.previous
      unsafe node.previous?._withUnsafeGuaranteedRef { $0.next = node.next }
    }
    node.next = nil
    unsafe node.previous = nil
  }

  /// Takes out all nodes at once, in constant time; they still are linked by `next`.
  mutating func takeAll() -> Node? {
    first.take()
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
