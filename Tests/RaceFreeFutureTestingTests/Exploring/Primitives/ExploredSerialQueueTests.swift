// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import RaceFreeFutureTesting
import Synchronization
import TestSupport
import Testing

@Suite struct ExploredSerialQueueTests {
  @Test func `Blocks run one after the other, in the order in which they were put there`() async {
    let seen = Variable<Set<[Int]>>([])
    let report = await explore("in order") { scenario in
      let queue = Explored.SerialQueue(label: "q")
      let log = Explored.Cell<[Int]>([])
      scenario.thread("a") {
        queue.async { log.value.append(1) }
        queue.async { log.value.append(2) }
      }
      scenario.thread("b") { queue.async { log.value.append(3) } }
      scenario.atEnd {
        seen.value.insert(log.value)
        return nil
      }
    }
    #expect(report.passed && report.isComplete, "\(report)")
    #expect(seen.value == [[1, 2, 3], [1, 3, 2], [3, 1, 2]])
  }

  @Test func `What a caller of sync did is there for the next block, and the other way round`() async {
    let report = await explore("no race") { scenario in
      let queue = Explored.SerialQueue(label: "q")
      let count = Explored.Cell(0)
      scenario.thread("a") { queue.async { count.value += 1 } }
      scenario.thread("b") { queue.sync { count.value += 1 } }
      scenario.atEnd { count.value == 2 ? nil : "\(count.value)" }
    }
    #expect(report.passed && report.isComplete, "\(report)")
  }

  @Test(.withoutRecording) func `Without the queue the same is a race`() async {
    let report = await explore("a race") { scenario in
      let queue = Explored.SerialQueue(label: "q")
      let count = Explored.Cell(0)
      scenario.thread("a") { queue.async { count.value += 1 } }
      scenario.thread("b") { count.value += 1 }
    }
    #expect(report.failure?.hasSuffix("nothing orders the two: a race") == true, "\(report)")
  }

  @Test func `Others act in the middle of a block`() async {
    let seen = Variable<Set<Int>>([])
    let report = await explore("in the middle") { scenario in
      let queue = Explored.SerialQueue(label: "q")
      let step = Explored.Atomic(0)
      queue.async {
        step.store(1, ordering: .sequentiallyConsistent)
        step.store(2, ordering: .sequentiallyConsistent)
      }
      scenario.thread("a") {
        let value = step.load(ordering: .sequentiallyConsistent)
        seen.value.insert(value)
      }
    }
    #expect(report.passed && report.isComplete, "\(report)")
    #expect(seen.value == [0, 1, 2])
  }

  @Test(.withoutRecording) func `A sync on the own queue is told`() async {
    for isBlock in [true, false] {
      let report = await explore("waits for itself") { scenario in
        let queue = Explored.SerialQueue(label: "q")
        scenario.thread("a") {
          if isBlock { queue.async { queue.sync {} } } else { queue.sync { queue.sync {} } }
        }
      }
      let failure = report.failure ?? ""
      #expect(failure.contains("calls sync on queue \"q\"") && failure.contains("waits for itself"), "\(report)")
    }
  }

  @Test(.withoutRecording) func `Two queues that wait for each other are a deadlock`() async {
    let report = await explore("two queues") { scenario in
      let one = Explored.SerialQueue(label: "one")
      let other = Explored.SerialQueue(label: "other")
      scenario.thread("a") { one.sync { other.sync {} } }
      scenario.thread("b") { other.sync { one.sync {} } }
    }
    let failure = report.failure ?? ""
    #expect(failure.contains("\"a\" waits for its turn on queue \"other\", on which \"b\" runs"), "\(report)")
    #expect(failure.contains("\"b\" waits for its turn on queue \"one\", on which \"a\" runs"), "\(report)")
  }

  @Test(.withoutRecording) func `A block that never ends is a deadlock, also if all threads have ended`() async {
    let report = await explore("a block waits") { scenario in
      let queue = Explored.SerialQueue(label: "q")
      let semaphore = Explored.Semaphore(value: 0)
      scenario.thread("a") { queue.async { semaphore.wait() } }
    }
    #expect(report.failure?.contains("\"q\" waits for semaphore 1") == true, "\(report)")
  }

  @Test func `Outside of an exploration it is a queue`() {
    struct Broken: Error {}
    let queue = Explored.SerialQueue(label: "q")
    let count = Variable(0)
    for _ in 0..<10 { queue.async { count.value += 1 } }
    #expect(queue.sync { count.value } == 10)
    #expect(throws: Broken.self) { try queue.sync { throw Broken() } }
  }
}
