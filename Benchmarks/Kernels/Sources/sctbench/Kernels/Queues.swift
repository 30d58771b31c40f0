// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting

// From SCTBench: CS/circular_buffer, CS/queue and CS/stack, in which two take turns by flags, and count the turns that they
// were given, not those that they took; and Chess/*, by Musuvathi and others.

let queues: [Kernel] = [
  Kernel("CS/circular_buffer", circularBuffer),
  Kernel("CS/queue", queue),
  Kernel("CS/stack", stack),
  Kernel("Chess/WorkStealQueue", { workStealing($0, Explored.Condition()) }),
  Kernel("Chess/InterlockedWorkStealQueue", { workStealing($0, SpinLock()) }),
  Kernel("Chess/StateWorkStealQueue", { loggedWorkStealing($0, alternates: false) }),
  Kernel("Chess/InterlockedWorkStealQueueWithState", { loggedWorkStealing($0, alternates: true) }),
]

/// Whoever empties a buffer of ten takes it that each of its seven turns finds a new element.
private func circularBuffer(_ scenario: Scenario) {
  let buffer = Explored.Mutex((elements: [Int](), first: 0, maySend: true))
  scenario.thread("send") {
    for number in 0..<7 {
      buffer.withLock {
        if $0.maySend { ($0.elements, $0.maySend) = ($0.elements + [number], false) }
      }
    }
  }
  scenario.thread("receive") {
    for number in 0..<7 {
      try buffer.withLock { buffer throws(Bug) in
        if !buffer.maySend {
          try check(buffer.elements[buffer.first] == number, "it isn't the element of this turn")
          (buffer.first, buffer.maySend) = (buffer.first + 1, true)
        }
      }
    }
  }
}

/// The same with twenty turns, of which the first enqueues without asking.
private func queue(_ scenario: Scenario) {
  struct Shared {
    var elements: [Int] = []
    var first = 0
    var stored = [Int](repeating: 0, count: 20)
    var (mayEnqueue, mayDequeue) = (true, false)
  }
  let queue = Explored.Mutex(Shared())
  scenario.thread("enqueue") {
    var value = 0
    queue.withLock { $0.elements.append(value) }
    for turn in 1..<20 {
      queue.withLock {
        guard $0.mayEnqueue else { return }
        value += 1
        $0.elements.append(value)
        $0.stored[turn] = value
        ($0.mayEnqueue, $0.mayDequeue) = (false, true)
      }
    }
  }
  scenario.thread("dequeue") {
    for turn in 0..<20 {
      try queue.withLock { queue throws(Bug) in
        guard queue.mayDequeue else { return }
        try check(queue.elements[queue.first] == queue.stored[turn], "it isn't the element of this turn")
        queue.first += 1
        (queue.mayEnqueue, queue.mayDequeue) = (true, false)
      }
    }
  }
}

/// Ten are pushed and ten popped, and a flag says that something was pushed once, not that something is left.
private func stack(_ scenario: Scenario) {
  let stack = Explored.Mutex((elements: [Int](), wasPushed: false))
  scenario.thread("push") {
    for number in 0..<10 { stack.withLock { ($0.elements, $0.wasPushed) = ($0.elements + [number], true) } }
  }
  scenario.thread("pop") {
    for _ in 0..<10 {
      try stack.withLock { stack throws(Bug) in
        if stack.wasPushed { try check(stack.elements.popLast() != nil, "nothing is left") }
      }
    }
  }
}

// MARK: Work stealing

/// Somebody steals twice from a queue of four items, of which the owner takes as many: each is to be taken once.
///
/// The owner doesn't leave room for the item that is being stolen, and overwrites it.
private func workStealing(_ scenario: Scenario, _ lock: some WorkLock) {
  let queue = WorkStealingQueue(lock, leavesRoom: false)
  var taken = [0, 0, 0, 0]
  scenario.thread("thief") { for _ in 0..<2 { if let item = try queue.steal(1) { taken[item] += 1 } } }
  scenario.thread("owner") {
    for first in [0, 2] {
      try queue.push(first, 0)
      try queue.push(first + 1, 0)
      if let item = try queue.pop(0) { taken[item] += 1 }
    }
    for _ in 0..<2 { if let item = try queue.pop(0) { taken[item] += 1 } }
  }
  scenario.atEnd { taken == [1, 1, 1, 1] ? nil : "the items were taken \(taken) times" }
}

/// Two thieves, and a queue without that mistake; but all note where they are in a log of calls that grows when a thread
/// appears, and nothing guards it.
private func loggedWorkStealing(_ scenario: Scenario, alternates: Bool) {
  let log = CallLog()
  let queue = WorkStealingQueue(SpinLock(), leavesRoom: true, log: log)
  var taken = [0, 0, 0, 0]
  for thief in 1...2 {
    scenario.thread("thief \(thief)") {
      try log.enters(thief)
      for _ in 0..<2 {
        try log.notes(thief)
        if let item = try queue.steal(thief) { taken[item] += 1 }
      }
      try log.leaves(thief)
    }
  }
  scenario.thread("owner") {
    for item in 0..<4 {
      try log.notes(0)
      try queue.push(item, 0)
      if alternates, item % 2 == 1, let item = try queue.pop(0) { taken[item] += 1 }
    }
    for _ in 0..<(alternates ? 2 : 4) {
      try log.notes(0)
      if let item = try queue.pop(0) { taken[item] += 1 }
    }
    try log.leaves(0)
  }
  scenario.atEnd { taken == [1, 1, 1, 1] ? nil : "the items were taken \(taken) times" }
}
