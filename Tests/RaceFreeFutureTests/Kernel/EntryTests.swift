// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import RaceFreeFuture

/// The lists through their entries, beside an array that is told the same.
@Suite struct EntryTests {
  @Test(arguments: 1...5)
  func `nodes taken out in any order leave the others in theirs`(count: Int) {
    for order in permutations(of: Array(0..<count)) {
      let nodes = order.map { _ in node() }
      var list = EntryList()
      for node in nodes { add(node, to: &list) }
      var left = nodes
      for index in order {
        remove(nodes[index], from: &list)
        left.removeAll { $0 === nodes[index] }
        #expect(contents(of: list) == left.map(ObjectIdentifier.init))
        #expect(nodes[index].hook.isFree)
      }
      let isEmpty = list.isEmpty
      #expect(isEmpty)
    }
  }

  @Test(arguments: 0..<4)
  func `what is added after one was taken out stands at the end`(removed: Int) {
    let nodes = (0..<5).map { _ in node() }
    var list = EntryList()
    for node in nodes.dropLast() { add(node, to: &list) }
    remove(nodes[removed], from: &list)
    add(nodes[4], to: &list)
    add(nodes[removed], to: &list)
    let expected = nodes.filter { $0 !== nodes[removed] } + [nodes[removed]]
    #expect(contents(of: list) == expected.map(ObjectIdentifier.init))
    let last = list.last?.node
    #expect(last === expected.last)
    for node in expected {
      let first = list.popFirst()
      #expect(first?.node === node)
      first?.release()
    }
    let isEmpty = list.isEmpty
    #expect(isEmpty)
  }

  @Test(arguments: 1...4)
  func `sources taken out in any order leave the others in theirs`(count: Int) {
    let (source, target) = (Future(), Future())
    for order in permutations(of: Array(0..<count)) {
      let links = order.map { _ in Link(.cascade, from: source, to: target, keeping: .source) }
      var list = SourceList()
      for link in links.reversed() { list.prepend(link) }
      var left = links
      for index in order {
        list.remove(links[index])
        left.removeAll { $0 === links[index] }
        var contents: [ObjectIdentifier] = []
        list.forEach { if case .link(let link) = $0 { contents.append(ObjectIdentifier(link)) } }
        #expect(contents == left.map(ObjectIdentifier.init))
        #expect(!links[index].isAtTarget)
      }
      #expect(list.isEmpty)
    }
  }

  @Test func `a list that is released gives back what it kept`() {
    let live = LiveCount()
    do {
      var list = EntryList()
      for _ in 0..<3 {
        let instance = live.make()
        add(HandlerNode(nil, .inline, .plain { withExtendedLifetime(instance) {} }), to: &list)
      }
      #expect(live.value == 3)
    }
    #expect(live.value == 0)
  }

  private func node() -> HandlerNode { HandlerNode(nil, .inline, .plain {}) }

  private func add(_ node: HandlerNode, to list: inout EntryList) {
    Entry(node).retain()
    list.append(Entry(node))
  }

  private func remove(_ node: HandlerNode, from list: inout EntryList) {
    list.remove(Entry(node))
    Entry(node).release()
  }

  private func contents(of list: borrowing EntryList) -> [ObjectIdentifier] {
    var contents: [ObjectIdentifier] = []
    list.forEach { if let node = $0.node { contents.append(ObjectIdentifier(node)) } }
    return contents
  }

  private func permutations(of elements: [Int]) -> [[Int]] {
    guard elements.count > 1 else { return [elements] }
    return elements.flatMap { first in
      permutations(of: elements.filter { $0 != first }).map { [first] + $0 }
    }
  }
}
