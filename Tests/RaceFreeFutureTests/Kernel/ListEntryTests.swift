// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Testing

@testable import RaceFreeFuture

/// The lists through their entries, beside an array that is told the same.
@Suite struct ListEntryTests {
  @Test(arguments: 1...5)
  func `nodes taken out in any order leave the others in theirs`(count: Int) {
    for order in permutations(of: Array(0..<count)) {
      let nodes = order.map { _ in ListEntry(.user) }
      var list = EntryList()
      for node in nodes { list.append(node) }
      var left = nodes
      for index in order {
        list.remove(nodes[index])
        left.removeAll { $0 === nodes[index] }
        #expect(contents(of: list) == left.map(ObjectIdentifier.init))
        #expect(nodes[index].rest.isEmpty)
      }
      #expect(list.isEmpty)
    }
  }

  @Test(arguments: 0..<4)
  func `what is added after one was taken out stands at the end`(removed: Int) {
    let nodes = (0..<5).map { _ in ListEntry(.user) }
    var list = EntryList()
    for node in nodes.dropLast() { list.append(node) }
    list.remove(nodes[removed])
    list.append(nodes[4])
    list.append(nodes[removed])
    let expected = nodes.filter { $0 !== nodes[removed] } + [nodes[removed]]
    #expect(contents(of: list) == expected.map(ObjectIdentifier.init))
    #expect(list.last === expected.last)
    #expect(list.all.elementsEqual(expected) { $0 === $1 } && list.isEmpty)
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
        list.forEach { contents.append(ObjectIdentifier($0)) }
        #expect(contents == left.map(ObjectIdentifier.init))
        #expect(!links[index].isAtTarget)
      }
      #expect(list.isEmpty)
    }
  }

  private func contents(of list: EntryList) -> [ObjectIdentifier] {
    var contents: [ObjectIdentifier] = []
    var next = list.first
    while let entry = next {
      contents.append(ObjectIdentifier(entry))
      next = entry.rest.first
    }
    return contents
  }

  private func permutations(of elements: [Int]) -> [[Int]] {
    guard elements.count > 1 else { return [elements] }
    return elements.flatMap { first in
      permutations(of: elements.filter { $0 != first }).map { [first] + $0 }
    }
  }
}
