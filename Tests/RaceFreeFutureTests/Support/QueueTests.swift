// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import RaceFreeFuture

@Suite struct QueueTests {
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

  @Test(arguments: [1, 2, 3, 10]) func `elements leave in the order in which they came`(atOnce: Int) {
    var queue = Queue<Int>()
    var (entered, left) = (0, 0)
    for _ in 0..<100 {
      while entered - left < atOnce {
        queue.append(entered)
        entered += 1
      }
      #expect(queue.popFirst() == left && queue.isEmpty == (atOnce == 1))
      left += 1
    }
    while let next = queue.popFirst() {
      #expect(next == left)
      left += 1
    }
    #expect(left == entered && queue.isEmpty && queue.popFirst() == nil)
  }

  @Test func `L7 what has left is released, also while others are in it`() {
    let live = LiveCount()
    var queue = Queue<LiveCount.Instance>()
    for _ in 0..<3 { queue.append(live.make()) }
    for _ in 0..<100 {
      queue.append(live.make())
      _ = queue.popFirst()
      #expect(live.value == 3)
    }
  }

  @Test(arguments: [1, 2, 3, 40]) func `L7 a queue that never becomes empty doesn't grow`(atOnce: Int) {
    var queue = Queue<Int>()
    for number in 0..<atOnce { queue.append(number) }
    for number in 0..<10_000 {
      queue.append(atOnce + number)
      #expect(queue.popFirst() == number)
      #expect(queue.space <= 2 * (atOnce + 1) + 64)
    }
  }

  @Test func `L7 two lines of map that are resolved together keep no value of a step that is over`() {
    let (source, live) = (ValueFuture<LiveCount.Instance>(), LiveCount())
    let most = Locked(0)
    func line() -> ValueFuture<LiveCount.Instance> {
      var last = source
      for _ in 0..<100 {
        last = last.map { _ in
          let next = live.make()
          most.withLock { $0 = max($0, live.value) }
          return next
        }
      }
      return last
    }
    let ends = [line(), line()]
    source.complete(with: live.make())
    #expect(ends.allSatisfy { $0.isCompleted })
    // The source's value; of each line that of a step and that of the next one, or the last.
    #expect(most.withLock { $0 } <= 5)
  }
}
