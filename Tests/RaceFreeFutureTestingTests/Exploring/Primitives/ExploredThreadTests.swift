// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFuture
import RaceFreeFutureTesting
import Synchronization
import TestSupport
import Testing

/// Threads with what the explorer knows besides.
@Suite struct ExploredThreadTests {
  /// Used by one thread at a time: the explorer sees to that.
  private final class Plain: @unchecked Sendable {
    var value = false
  }

  @Test func `Handlers of futures that threads complete run in all orders, whatever else is shared`() async {
    let seen = Variable<Set<String>>([])
    let report = await explore("handlers") { scenario in
      // Seen by nobody but the test.
      let hasCompleted = Plain()
      let log = Variable("")
      for name in ["a", "b"] {
        let future = Future(label: name)
        let other = Explored.Mutex(0)
        // The handler of b sees whether a is on its way.
        future.onComplete(on: .main) { log.value += name == "a" ? "a" : hasCompleted.value ? "b1" : "b0" }
        scenario.thread(name) {
          // Nothing in common with the other thread, but for the main queue.
          other.withLock { $0 += 1 }
          if name == "a" { hasCompleted.value = true }
          future.complete()
        }
      }
      scenario.atEnd {
        seen.value.insert(log.value)
        return nil
      }
    }
    #expect(report.passed && report.isComplete, "\(report)")
    #expect(seen.value == ["ab1", "b0a", "b1a"])
  }

  @Test func `A switch point lets others act before a call of a future`() async {
    let seen = Variable<Set<Bool>>([])
    let report = await explore("won") { scenario in
      let future = Future(label: "f")
      scenario.thread("a") {
        Explored.switchPoint("complete()")
        future.complete()
      }
      scenario.actor("b", .init("cancel()") { future.cancel() })
      scenario.atEnd {
        seen.value.insert(future.isCancelled)
        return nil
      }
    }
    #expect(report.passed && report.isComplete && seen.value == [true, false], "\(report)")
    #expect(report.orders == 2, "\(report)")
  }

  @Test(.withoutRecording, arguments: [false, true])
  func `A variable is no hiding place for a check that comes before the act, and a change in place is whole`(
    isMended: Bool
  ) async {
    let report = await explore("counted") { scenario in
      let count = Variable(0)
      for name in ["a", "b"] {
        scenario.thread(name) {
          if isMended { return count.value += 1 }
          let old = count.value
          count.value = old + 1
        }
      }
      scenario.atEnd { count.value == 2 ? nil : "\(count.value)" }
    }
    #expect(report.failure == (isMended ? nil : "1"), "\(report)")
  }

  @Test(.withoutRecording) func `An invariant is looked at between critical sections`() async {
    for isSafe in [true, false] {
      let report = await explore("the sum stays") { scenario in
        let left = Explored.Mutex(10), right = Explored.Mutex(0)
        scenario.thread("a") {
          if isSafe {
            left.withLock { left in
              right.withLock { right in
                left -= 5
                right += 5
              }
            }
          } else {
            left.withLock { $0 -= 5 }
            right.withLock { $0 += 5 }
          }
        }
        scenario.state { "\(left.withLock { $0 }) + \(right.withLock { $0 })" }
        scenario.invariant { left.withLock { $0 } + right.withLock { $0 } == 10 ? nil : "the sum isn't 10" }
      }
      #expect(report.passed == isSafe, "\(report)")
      if !isSafe { #expect(report.failure == "the sum isn't 10") }
    }
  }

  @Test(.withoutRecording) func `Tasks wait for each other, and a wait that can't end is told`() async {
    let passed = await exploreTasks("in tasks") { scenario in
      let count = Explored.Mutex(0)
      let semaphore = Explored.Semaphore(value: 0)
      async let one: Void = {
        count.withLock { $0 += 1 }
        semaphore.signal()
      }()
      count.withLock { $0 += 1 }
      await one
      semaphore.wait()
      scenario.check(count.withLock { $0 } == 2, "lost")
    }
    #expect(passed.passed && passed.isComplete, "\(passed)")

    let stuck = await exploreTasks("in tasks") { _ in
      let semaphore = Explored.Semaphore(value: 0)
      let body: () -> Void = { semaphore.wait() }
      body()
    }
    let waits = "deadlock: nothing can continue, but \"body\" waits for semaphore 1"
    #expect(stuck.failure?.hasPrefix(waits) == true, "\(stuck)")
  }

  @Test(.withoutRecording) func `A thread that waits forever in a loop is reported`() async {
    let report = await explore("spins", .exhaustive(maxSteps: 60)) { scenario in
      let flag = Explored.Mutex(false)
      scenario.thread("a") { while !flag.withLock({ $0 }) {} }
    }
    #expect(report.failure?.hasPrefix("no end after 60 steps, the last by \"a\"") == true, "\(report)")
  }

  @Test(arguments: ["exchange", "compareExchange", "or", "if available", "timeout"])
  func `Attempts that change nothing don't keep away who would let them succeed`(kind: String) async {
    let report = await explore("spins by \(kind)", .exhaustive(maxSteps: 100)) { scenario in
      let isTaken = Explored.Atomic(false)
      let count = Explored.Mutex(0)
      let free = Explored.Semaphore(value: 1)
      let inside = Explored.Cell(0)
      func lock() {
        switch kind {
        case "exchange": while isTaken.exchange(true, ordering: .acquiring) {}
        case "or": while isTaken.logicalOr(true, ordering: .acquiring).oldValue {}
        case "compareExchange":
          // The value is the expected one as long as the other is inside, and is replaced by itself.
          while isTaken.compareExchange(expected: true, desired: true, ordering: .relaxed).exchanged
            || isTaken.exchange(true, ordering: .acquiring)
          {}
        default: while free.wait(timeout: .now()) == .timedOut {}
        }
      }
      func unlock() {
        if kind == "timeout" { free.signal() } else { isTaken.store(false, ordering: .releasing) }
      }
      for name in ["a", "b"] {
        scenario.thread(name) {
          if kind == "if available" {
            while count.withLockIfAvailable({ $0 += 1 }) == nil {}
          } else {
            lock()
            inside.value += 1
            unlock()
          }
        }
      }
    }
    #expect(report.passed, "\(report)")
  }

  @Test(.withoutRecording) func `A try-lock that fails forever is reported`() async {
    let report = await explore("spins", .exhaustive(maxSteps: 60)) { scenario in
      let lock = Explored.Mutex(0)
      scenario.thread("a") { lock.withLock { _ in while lock.withLockIfAvailable({ $0 += 1 }) == nil {} } }
    }
    #expect(report.failure?.hasPrefix("no end after 60 steps, the last by \"a\"") == true, "\(report)")
  }

  @Test func `Three threads with two critical sections each have all their orders, each once`() async {
    let report = await explore("threads") { scenario in
      let lock = Explored.Mutex(0)
      for name in ["a", "b", "c"] {
        scenario.thread(name) {
          for _ in 0..<2 { lock.withLock { $0 += 1 } }
        }
      }
    }
    #expect(report.passed && report.isComplete && report.orders == 90, "\(report)")
  }
}
