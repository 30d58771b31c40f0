// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Testing

@testable import RaceFreeFuture

/// The list through its nodes, beside an array that is told the same.
@Suite struct IntrusiveListTests {
  @safe private final class Node: IntrusiveNode {
    var next: Node?
    var previous: Unmanaged<Node>?
    var isListed = false
  }

  @Test(arguments: 1...5)
  func `nodes taken out in any order leave the others in theirs`(count: Int) {
    for order in permutations(of: Array(0..<count)) {
      let nodes = order.map { _ in Node() }
      var list = IntrusiveList<Node>()
      for node in nodes { list.append(node) }
      var left = nodes
      for index in order {
        list.remove(nodes[index])
        left.removeAll { $0 === nodes[index] }
        #expect(contents(of: list) == left.map(ObjectIdentifier.init))
        #expect(!nodes[index].isListed)
        #expect(nodes[index].next == nil)
      }
      #expect(list.isEmpty)
    }
  }

  @Test(arguments: 0..<4)
  func `what is added after one was taken out stands at the end`(removed: Int) {
    let nodes = (0..<5).map { _ in Node() }
    var list = IntrusiveList<Node>()
    for node in nodes.dropLast() { list.append(node) }
    list.remove(nodes[removed])
    list.append(nodes[4])
    list.append(nodes[removed])
    let expected = nodes.filter { $0 !== nodes[removed] } + [nodes[removed]]
    #expect(contents(of: list) == expected.map(ObjectIdentifier.init))
    list.removeAll()
    #expect(list.isEmpty)
  }

  private func contents(of list: IntrusiveList<Node>) -> [ObjectIdentifier] {
    var contents: [ObjectIdentifier] = []
    list.forEach { contents.append(ObjectIdentifier($0)) }
    return contents
  }

  private func permutations(of elements: [Int]) -> [[Int]] {
    guard elements.count > 1 else { return [elements] }
    return elements.flatMap { first in
      permutations(of: elements.filter { $0 != first }).map { [first] + $0 }
    }
  }
}
