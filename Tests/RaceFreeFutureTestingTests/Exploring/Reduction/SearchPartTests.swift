// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFutureTesting
import TestSupport
import Testing

@testable import RaceFreeFutureExploring

@Suite struct SearchPartTests {
  @Test func `A part is two numbers`() {
    #expect(SearchPart("3/8") == SearchPart("3/8") && SearchPart("3/8")?.number == 3 && SearchPart("3/8")?.count == 8)
    #expect(SearchPart("1/1") != nil && SearchPart("8/8") != nil)
    for text in ["", "3", "0/8", "9/8", "3/0", "-1/2", "3/8/1", "a/b", "3/"] { #expect(SearchPart(text) == nil) }
  }

  @Test(arguments: [1, 2, 3, 8], [[2, 2], [3, 3, 3], [2, 2, 2, 2]])
  func `The parts together run all orders, and count each once`(_ count: Int, _ lengths: [Int]) throws {
    var (counted, all) = ([[Int]](), Set<[Int]>())
    for number in 1...count {
      var search = OrderSearch(limit: 100_000, part: SearchPart("\(number)/\(count)"))
      while let start = search.next() {
        let trail = Self.run(start, lengths)
        if !search.isOfOthers { counted.append(trail.chosen) }
        all.insert(trail.chosen)
        search.add(trail, of: start)
      }
      #expect(search.sharedCount == 0)
    }
    var least = OrderSearch(limit: 100_000)
    var orders = 0
    while let start = least.next() {
      least.add(Self.run(start, lengths), of: start)
      orders += 1
    }
    #expect(counted.count == orders && Set(counted) == all && all.count == orders)
  }

  private static func run(_ start: OrderSearch.Start, _ lengths: [Int]) -> OrderTrail {
    var (left, trail) = (lengths, OrderTrail())
    while true {
      let choices = left.indices.filter { left[$0] > 0 }
      if choices.isEmpty { return trail }
      let line = start.line(at: trail.count) ?? OrderSearch.goOn(trail.on.last, choices) ?? 0
      left[line] -= 1
      trail.append(line, of: choices)
    }
  }

  @Test(.exitTests) func `Processes that share a search run all orders, and count each once`() async throws {
    let first = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      unsafe setenv(SearchPart.variable, "1/2", 1)
      await SearchPartTests.explore()
    }
    let second = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      unsafe setenv(SearchPart.variable, "2/2", 1)
      await SearchPartTests.explore()
    }
    var (orders, count) = (Set<Substring>(), 0)
    for result in [first, second] {
      let text = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
      for line in text.split(separator: "\n") {
        if line.hasPrefix("order ") { orders.insert(line.dropFirst(6)) }
        if line.hasPrefix("count ") { count += Int(line.dropFirst(6)) ?? 0 }
      }
    }
    #expect(orders.count == 90 && count == 90)
  }

  @Test(.exitTests) func `A part without orders isn't inconclusive`() async {
    await #expect(processExitsWith: .success) {
      unsafe setenv(SearchPart.variable, "2/2", 1)
      let steps = await RaceFreeFutureTesting.explore("one order") { $0.actor("a", .init("1") {}) }
      precondition(steps.passed && steps.orders == 0 && steps.isComplete, "\(steps)")
      let tasks = await exploreTasks("one order") { _ in }
      precondition(tasks.passed && tasks.orders == 0 && tasks.isComplete, "\(tasks)")
    }
  }

  /// `Scripts/shards.sh` runs it in parts.
  @Test func `What several processes may share`() async {
    let report = await Self.exploreShared { _ in }
    #expect(report.passed && report.isComplete && (SearchPart.own != nil || report.orders == 90), "\(report)")
  }

  /// Runs the part of the environment, and prints what it has run.
  static func explore() async {
    let report = await exploreShared { print("order \($0)") }
    print("count \(report.orders)")
    precondition(report.passed && report.isComplete && report.description.contains("of 2"), "\(report)")
  }

  private static func exploreShared(_ note: @escaping @Sendable (String) -> Void) async -> Exploration {
    await RaceFreeFutureTesting.explore("shared out") { scenario in
      let log = Variable("")
      for name in ["a", "b", "c"] {
        scenario.actor(name, .init("1") { log.value += name }, .init("2") { log.value += name })
      }
      scenario.atEnd {
        note(log.value)
        return nil
      }
    }
  }
}
