// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import RaceFreeFutureTesting
import Synchronization
import TestSupport
import Testing

@Suite struct ExploredConditionTests {
  /// A place for one element, in ordinary code.
  private final class Slot: Sendable {
    private let condition = Explored.Condition()
    private let content = Explored.Cell<Int?>(nil)
    private let fault: Fault?

    enum Fault { case looksOnce, signalsWithoutLock, looksOutside }

    init(_ fault: Fault? = nil) { self.fault = fault }

    func put(_ element: Int) {
      condition.lock()
      content.value = element
      if fault != .signalsWithoutLock { condition.signal() }
      condition.unlock()
      if fault == .signalsWithoutLock { condition.signal() }
    }

    func take() -> Int? {
      condition.lock()
      defer { condition.unlock() }
      if fault == .looksOnce {
        if content.value == nil { condition.wait() }
      } else {
        while content.value == nil { condition.wait() }
      }
      defer { content.value = nil }
      return content.value
    }
  }

  @Test func `A waiter that checks in a loop takes what was put there, in all orders`() async {
    let report = await explore("handed over") { scenario in
      let slot = Slot()
      let taken = Variable<Int?>(nil)
      scenario.thread("maker") { slot.put(42) }
      scenario.thread("taker") { taken.value = slot.take() }
      scenario.atEnd { taken.value == 42 ? nil : "took \(String(describing: taken.value))" }
    }
    #expect(report.passed && report.isComplete, "\(report)")
  }

  @Test func `A signal behind the lock is heard as well`() async {
    let report = await explore("handed over") { scenario in
      let slot = Slot(.signalsWithoutLock)
      scenario.thread("maker") { slot.put(42) }
      scenario.thread("taker") { _ = slot.take() }
    }
    #expect(report.passed && report.isComplete, "\(report)")
  }

  @Test(.withoutRecording) func `A waiter that checks only once continues without anything in some order`() async {
    let report = await explore("handed over") { scenario in
      let slot = Slot(.looksOnce)
      let taken = Variable<Int?>(nil)
      scenario.thread("maker") { slot.put(42) }
      scenario.thread("taker") { taken.value = slot.take() }
      scenario.atEnd { taken.value == 42 ? nil : "took \(String(describing: taken.value))" }
    }
    #expect(report.failure == "took nil", "\(report)")
    #expect(report.description.contains("without a signal"), "\(report)")
  }

  @Test(.withoutRecording) func `A flag that is set outside of the lock is a lost wake-up`() async {
    let report = await explore("a lost wake-up") { scenario in
      let condition = Explored.Condition()
      let isReady = Explored.Atomic(false)
      scenario.thread("maker") {
        isReady.store(true, ordering: .sequentiallyConsistent)
        condition.signal()
      }
      scenario.thread("waiter") {
        condition.withLock {
          // Looks under the lock, but who sets the flag doesn't take it.
          while !isReady.load(ordering: .sequentiallyConsistent) { condition.wait() }
        }
      }
    }
    #expect(report.failure?.contains("\"waiter\" waits for condition 1 (") == true, "\(report)")
    #expect(report.failure?.contains("which \"maker\" signalled when nobody waited") == true, "\(report)")
    #expect(report.failure?.hasSuffix("a lost wake-up") == true, "\(report)")
  }

  @Test(.withoutRecording) func `One signal for two who wait leaves one of them, whichever it is`() async {
    let woken = Variable<Set<String>>([])
    let body: @Sendable (Bool, Scenario) -> Void = { all, scenario in
      let condition = Explored.Condition()
      let isOpen = Explored.Cell(false)
      for name in ["a", "b"] {
        scenario.thread(name) {
          condition.withLock {
            while !isOpen.value { condition.wait() }
          }
          woken.value.insert(name)
        }
      }
      scenario.thread("opener") {
        condition.withLock {
          isOpen.value = true
          if all { condition.broadcast() } else { condition.signal() }
        }
      }
    }
    let one = await explore("one signal") { body(false, $0) }
    #expect(one.failure?.hasPrefix("deadlock") == true, "\(one)")
    woken.value = []
    let all = await explore("a broadcast") { body(true, $0) }
    #expect(all.passed && all.isComplete, "\(all)")
    #expect(woken.value == ["a", "b"])
  }

  @Test(.withoutRecording) func `Who waits has to hold the lock`() async {
    let report = await explore("without the lock") { scenario in
      let condition = Explored.Condition()
      scenario.thread("a") { condition.wait() }
    }
    #expect(report.failure?.hasSuffix("without holding its lock") == true, "\(report)")
  }

  @Test func `Outside of an exploration it is a condition`() async {
    let slot = Slot()
    let taken = Variable<[Int?]>([])
    await onThreads([
      {
        let element = slot.take()
        taken.value.append(element)
      },
      { slot.put(1) },
    ])
    #expect(taken.value == [1])
  }
}
