// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

@Suite struct ExploredSemaphoreTests {
  @Test func `A waiter continues after the signal, and sees what came before it`() async {
    let report = await explore("handed over") { scenario in
      let semaphore = Explored.Semaphore(value: 0)
      let cell = Explored.Cell(0)
      let seen = Variable(0)
      scenario.thread("a") {
        cell.value = 42
        semaphore.signal()
      }
      scenario.thread("b") {
        semaphore.wait()
        seen.value = cell.value
      }
      scenario.atEnd { seen.value == 42 ? nil : "saw \(seen.value)" }
    }
    #expect(report.passed && report.isComplete, "\(report)")
  }

  @Test(.withoutRecording) func `No more go on than it counts`() async {
    let report = await explore("two at a time") { scenario in
      let semaphore = Explored.Semaphore(value: 2)
      let inside = Variable(0)
      for name in ["a", "b", "c"] {
        scenario.thread(name) {
          semaphore.wait()
          inside.value += 1
          semaphore.signal()
        }
      }
      scenario.atEnd { inside.value == 0 ? nil : "\(inside.value)" }
    }
    // The increments aren't one step: two inside may lose one.
    #expect(report.failure != nil, "\(report)")

    let safe = await explore("one at a time") { scenario in
      let semaphore = Explored.Semaphore(value: 1)
      let count = Explored.Cell(0)
      for name in ["a", "b", "c"] {
        scenario.thread(name) {
          semaphore.wait()
          count.value += 1
          semaphore.signal()
        }
      }
      scenario.atEnd { count.value == 3 ? nil : "\(count.value)" }
    }
    #expect(safe.passed && safe.isComplete, "\(safe)")
  }

  @Test(.withoutRecording) func `A wait that nobody ends is a deadlock`() async {
    let report = await explore("waits for ever") { scenario in
      let semaphore = Explored.Semaphore(value: 1)
      for name in ["a", "b"] { scenario.thread(name) { semaphore.wait() } }
    }
    #expect(report.failure?.contains("waits for semaphore 1 (") == true, "\(report)")
    #expect(report.failure?.hasSuffix("which nobody signals any more") == true, "\(report)")
  }

  @Test func `A wait with a timeout ends both ways`() async {
    let seen = Variable<Set<Bool>>([])
    let report = await explore("times out") { scenario in
      let semaphore = Explored.Semaphore(value: 0)
      scenario.thread("a") { semaphore.signal() }
      scenario.thread("b") {
        let result = semaphore.wait(timeout: .now() + .seconds(5))
        seen.value.insert(result == .success)
      }
    }
    #expect(report.passed && report.isComplete, "\(report)")
    #expect(seen.value == [true, false])
  }

  @Test func `What a step passes on is known to the next thread`() async {
    let report = await explore("passed on") { scenario in
      let first = Explored.Semaphore(value: 0)
      let next = Explored.Semaphore(value: 0)
      let (content, hasPassed) = (Explored.Cell(0), Explored.Cell(false))
      scenario.thread("a") {
        content.value = 1
        first.signal()
      }
      scenario.actor(
        "step",
        .init("passes on") {
          hasPassed.value = first.wait(timeout: .now()) == .success
          next.signal()
        }
      )
      scenario.thread("b") {
        next.wait()
        if hasPassed.value { _ = content.value }
      }
    }
    #expect(report.passed && report.isComplete, "\(report)")
  }

  @Test func `Outside of an exploration it is a semaphore`() {
    let semaphore = Explored.Semaphore(value: 1)
    semaphore.wait()
    #expect(semaphore.wait(timeout: .now()) == .timedOut)
    semaphore.signal()
    #expect(semaphore.wait(timeout: .now()) == .success)
  }
}
