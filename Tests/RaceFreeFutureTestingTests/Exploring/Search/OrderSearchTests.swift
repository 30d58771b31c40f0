// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting
import Testing

@testable import RaceFreeFutureExploring

@Suite struct OrderSearchTests {
  /// Runs lines with so many steps each, without any code; calls a closure with each order.
  private func run(_ search: inout OrderSearch, _ lengths: [Int], each: (OrderSearch, [Int]) -> Void) {
    while let start = search.next() {
      var (left, trail) = (lengths, OrderTrail())
      while true {
        let choices = left.indices.filter { left[$0] > 0 }
        if choices.isEmpty { break }
        #expect(start.knows(choices, at: trail.chosen.count))
        let line = start.line(at: trail.chosen.count) ?? OrderSearch.goOn(trail.on.last, choices) ?? 0
        left[line] -= 1
        trail.append(line, of: choices)
      }
      search.add(trail, of: start)
      each(search, trail.chosen)
    }
  }

  @Test func `Each order comes once, and what pending ones share is kept once`() {
    var search = OrderSearch(limit: 100_000)
    var (orders, mostSteps, mostPending) = (Set<[Int]>(), 0, 0)
    var count = 0
    run(&search, [3, 3, 3]) { search, order in
      count += 1
      orders.insert(order)
      mostSteps = max(mostSteps, search.sharedCount)
      mostPending = max(mostPending, search.waitingCount)
    }
    #expect(count == 1_680 && orders.count == 1_680)
    // All but nothing for each: not the nine steps of each one.
    #expect(mostSteps < 2 * mostPending, "\(mostSteps) steps of \(mostPending) pending orders")
    #expect(search.sharedCount == 0 && !search.isTruncated)
  }

  @Test func `Those that are dropped keep nothing`() {
    var search = OrderSearch(limit: 50)
    var count = 0
    run(&search, [4, 4, 4]) { search, _ in
      count += 1
      #expect(search.waitingCount <= 50 && search.sharedCount <= 50 * 12)
    }
    #expect(search.isTruncated && search.sharedCount == 0 && count > 50)
  }

  @Test func `Other choices than before are noticed`() {
    var search = OrderSearch(limit: 10)
    if let first = search.next() {
      var trail = OrderTrail()
      trail.append(0, of: [0, 1])
      trail.append(1, of: [1])
      search.add(trail, of: first)
    }
    let start = search.next()
    #expect(start?.length == 1 && start?.line(at: 0) == 1 && start?.line(at: 1) == nil)
    #expect(start?.knows([0, 1], at: 0) == true && start?.knows([0, 2], at: 0) == false)
    #expect(start?.knows([5], at: 1) == true)
  }
}
