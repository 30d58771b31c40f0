// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

@Suite struct ManualClockTests {
  /// Asks again and again, with a pause on a clock that it is given.
  private static func firstAnswer(
    every pause: Duration,
    on clock: any Clock<Duration>,
    _ ask: @Sendable () -> Int?
  ) async throws -> Int {
    while true {
      if let answer = ask() { return answer }
      try await clock.sleep(for: pause)
    }
  }

  @Test func `Sleepers are woken in the order of their deadlines, each at its own`() async throws {
    let (clock, log) = (ManualClock(), EventLog<String>())
    let tasks = [("c", 3), ("a", 1), ("b", 2)].map { name, time in
      Task {
        try await clock.sleep(until: .init(offset: .seconds(time)))
        log.add(name)
      }
    }
    try await clock.timersSet(atLeast: 3)
    for (task, name) in [(1, "a"), (2, "b"), (0, "c")] {
      #expect(clock.advance(by: .milliseconds(999)) == 0)
      #expect(clock.advance(by: .milliseconds(1)) == 1)
      try await tasks[task].value
      #expect(log.events.last == name)
    }
    #expect(clock.now.offset == .seconds(3) && clock.timers.isEmpty)
  }

  @Test func `Code that takes a clock is tested without waiting`() async throws {
    let (clock, asked) = (ManualClock(), Variable(0))
    async let answer = Self.firstAnswer(every: .seconds(3_600), on: clock) {
      asked.value += 1
      return asked.value == 3 ? 7 : nil
    }
    for count in 1...2 {
      try await clock.timersSet()
      #expect(asked.value == count)
      clock.advance(by: .seconds(3_600))
    }
    #expect(try await answer == 7)
    #expect(clock.now == .init(offset: .seconds(7_200)))
  }

  @Test func `A sleep that is cancelled ends at once, before or after it has begun, and leaves no timer`() async throws
  {
    let clock = ManualClock()
    let task = Task { try await clock.sleep(for: .seconds(1)) }
    try await clock.timersSet()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(clock.timers.isEmpty)
    let late = Task {
      unsafe withUnsafeCurrentTask { task in unsafe task?.cancel() }
      try await clock.sleep(for: .seconds(1))
    }
    await #expect(throws: CancellationError.self) { try await late.value }
    #expect(clock.timers.isEmpty && clock.now.offset == .zero)
  }

  @Test func `A sleep until now or before doesn't suspend`() async throws {
    let clock = ManualClock()
    clock.advance(by: .seconds(5))
    try await clock.sleep(until: clock.now)
    try await clock.sleep(for: .seconds(-1))
    #expect(clock.timers.isEmpty)
  }

  @Test func `A part of a nanosecond isn't slept too little`() async throws {
    let clock = ManualClock()
    let time = Duration(secondsComponent: 0, attosecondsComponent: 1_500_000_000)
    let task = Task { try await clock.sleep(for: time) }
    try await clock.timersSet()
    #expect(clock.minimumResolution == .nanoseconds(1))
    #expect(clock.advance(by: .nanoseconds(1)) == 0)
    #expect(clock.advance(by: .nanoseconds(1)) == 1)
    try await task.value
  }

  @Test func `A sleep that is longer than can be told never ends`() async throws {
    let clock = ManualClock()
    let task = Task { try await clock.sleep(for: .seconds(Int64.max)) }
    try await clock.timersSet()
    #expect(clock.advance(by: .seconds(1_000_000_000)) == 0)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func `Who waits for timers that are never set can be cancelled`() async throws {
    let (clock, began) = (ManualClock(), Gate("began"))
    let waiting = Task {
      began.open()
      try await clock.timersSet(atLeast: 2)
    }
    await began.passed()
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
  }

  @Test func `A control that ends wakes those who sleep on its clock, or wait for its timers`() async throws {
    let (clock, slept, waited) = try await withManualControl { control in
      let (clock, began) = (control.clock, Gate("began"))
      let sleeper = Task { try await clock.sleep(for: .seconds(1)) }
      try await clock.timersSet()
      let waiter = Task {
        began.open()
        try await clock.timersSet(atLeast: 2)
      }
      await began.passed()
      return (clock, sleeper, waiter)
    }
    await #expect(throws: CancellationError.self) { try await slept.value }
    await #expect(throws: CancellationError.self) { try await waited.value }
    await #expect(throws: CancellationError.self) { try await clock.sleep(for: .seconds(1)) }
    await #expect(throws: CancellationError.self) { try await clock.timersSet() }
    #expect(clock.timers.isEmpty)
  }

  @Test func `Timers of futures and sleeps share the clock of a control`() async throws {
    try await withManualControl { control in
      let (clock, future) = (control.clock, Future(label: "load"))
      future.cancel(after: .seconds(2))
      let task = Task(name: "poller") { try await clock.sleep(for: .seconds(1)) }
      try await clock.timersSet(atLeast: 2)
      #expect(clock.timers == ["1.0 seconds pass: for \"poller\"", "2.0 seconds pass: for \"load\""])
      #expect(clock.advance(by: .seconds(1)) == 1 && future.isPending)
      try await task.value
      #expect(clock.advance(by: .seconds(1)) == 1 && future.isCancelled)
    }
  }

  // MARK: In orders that are explored

  @Test func `The clock of a scenario goes by itself, in the order of the deadlines, and knows the time`() async {
    let report = await exploreTasks("a poller") { scenario in
      let (clock, asked) = (scenario.clock, Variable(0))
      async let answer = Self.firstAnswer(every: .seconds(3_600), on: clock) {
        asked.value += 1
        return asked.value == 3 ? 7 : nil
      }
      try await clock.sleep(for: .seconds(5_000))
      scenario.check(asked.value == 2 && clock.now.offset == .seconds(5_000), "\(asked.value) at \(clock.now)")
      let value = try await answer
      scenario.check(value == 7 && clock.now.offset == .seconds(7_200), "\(value) at \(clock.now)")
    }
    #expect(report.passedAllThatDiffer, "\(report)")
  }

  @Test func `A sleep on the clock of a scenario is cancelled in every order`() async {
    let seen = Variable<Set<String>>([])
    let report = await exploreTasks("a cancelled sleep") { scenario in
      let clock = scenario.clock
      let task = Task { try await clock.sleep(for: .seconds(1)) }
      async let other: Void = { task.cancel() }()
      let result = await task.result
      await other
      seen.value.insert("\(result)")
      if case .failure(let error) = result { scenario.check(error is CancellationError, "\(error)") }
      scenario.check(clock.now.offset == .zero, "it slept on")
    }
    #expect(report.passedAllThatDiffer, "\(report)")
    #expect(seen.value.count == 1)
  }

  @Test(.withoutRecording) func `A manual clock stands still in an order too, until the body advances it`() async {
    // There are too many to run them all, because steps are interrupted where they come to their continuations.
    let report = await exploreTasks("a manual clock", .exhaustive(maxOrders: 2_000)) { scenario in
      let (clock, log) = (ManualClock(), Variable(""))
      let tasks = [("b", 2), ("a", 1)].map { name, time in
        Task {
          try await clock.sleep(for: .seconds(time))
          log.value += name
        }
      }
      try await clock.timersSet(atLeast: 2)
      clock.advance(by: .seconds(1))
      try await tasks[1].value
      scenario.check(log.value == "a", log.value)
      clock.advance(by: .seconds(1))
      try await tasks[0].value
    }
    #expect(report.passed && report.uncontrolled == nil, "\(report)")
    let stuck = await exploreTasks("nobody advances it") { _ in try await ManualClock().sleep(for: .seconds(1)) }
    #expect(stuck.failure?.hasPrefix("deadlock") == true, "\(stuck)")
  }
}
