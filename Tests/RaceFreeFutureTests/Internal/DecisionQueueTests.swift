// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Testing

@testable import RaceFreeFuture

@Suite struct DecisionQueueTests {
  @Test func `what is appended first is first, also between removals`() {
    var queue = Queue<Int>()
    var taken: [Int] = []
    func take(_ count: Int) { for _ in 0..<count { if let next = queue.popFirst() { taken.append(next) } } }
    for number in 0..<3 { queue.append(number) }
    take(2)
    for number in 3..<6 { queue.append(number) }
    take(1)
    queue.append(6)
    take(9)
    #expect(taken == Array(0...6) && queue.isEmpty)
    queue.append(7)
    take(2)
    #expect(taken == Array(0...7) && queue.isEmpty)
  }
}
