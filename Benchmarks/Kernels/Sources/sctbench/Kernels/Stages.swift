// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting

// From SCTBench: CS/reorder_* and CS/twostage_*. The numbers of threads are those of its sources and, where it has none, of
// the sources that PERIOD (Wen and others, 2022) published with its evaluation.

let reorders: [Kernel] = [
  Kernel("CS/reorder_3", { reorder($0, setters: 2, checkers: 1) }),
  Kernel("CS/reorder_4", { reorder($0, setters: 3, checkers: 1) }),
  Kernel("CS/reorder_5", { reorder($0, setters: 4, checkers: 1) }),
  Kernel("CS/reorder_10", { reorder($0, setters: 9, checkers: 1) }),
  Kernel("CS/reorder_20", { reorder($0, setters: 10, checkers: 10) }),
  Kernel("CS/reorder_50", { reorder($0, setters: 40, checkers: 10) }),
  Kernel("CS/reorder_100", { reorder($0, setters: 99, checkers: 1) }),
]

let stages: [Kernel] = [
  Kernel("CS/twostage", { twoStage($0, writers: 1, readers: 1) }),
  Kernel("CS/twostage_20", { twoStage($0, writers: 10, readers: 10) }),
  Kernel("CS/twostage_50", { twoStage($0, writers: 40, readers: 10) }),
  Kernel("CS/twostage_100", { twoStage($0, writers: 99, readers: 1) }),
]

/// All setters write the same two numbers, one after the other, and nobody may see one without the other.
private func reorder(_ scenario: Scenario, setters: Int, checkers: Int) {
  let (a, b) = (Variable(0), Variable(0))
  for number in 1...setters {
    scenario.thread("set \(number)") {
      a.value = 1
      b.value = -1
    }
  }
  for number in 1...checkers {
    scenario.thread("check \(number)") {
      try check((a.value == 0 && b.value == 0) || (a.value == 1 && b.value == -1), "only one of both is set")
    }
  }
}

/// Writers set two numbers, each under its lock; readers that see the first expect the second.
private func twoStage(_ scenario: Scenario, writers: Int, readers: Int) {
  let first = Explored.Mutex(0)
  let second = Explored.Mutex(0)
  for number in 1...writers {
    scenario.thread("write \(number)") {
      first.withLock { $0 = 1 }
      second.withLock { $0 = 2 }
    }
  }
  for number in 1...readers {
    scenario.thread("read \(number)") {
      let one = first.withLock(\.self)
      if one != 0 { try check(second.withLock(\.self) == one + 1, "the second stage isn't set") }
    }
  }
}
