// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

@Suite(.exitTests) struct CancellableWorkRetryingTests {
  private let calls = EventLog<ContinuousClock.Instant>()

  /// Three attempts, of which the last one succeeds, or none.
  private func attempt(
    within work: some CancellableWork,
    succeeds: Bool = true,
    leaving least: Duration = .zero,
    if isTransient: (any Error) -> Bool = { _ in true }
  ) async throws -> Int {
    try await work.retry(
      attempts: 3,
      pausing: .seconds(4),
      leaving: least,
      random: { $0.upperBound },
      if: isTransient
    ) { [calls] in
      calls.add(Deadline.now)
      if succeeds, calls.events.count == 3 { return 7 }
      throw Reason("attempt \(calls.events.count)")
    }
  }

  @Test(arguments: [true, false])
  func `it pauses between the attempts for as long as it is told, and the last one decides`(succeeds: Bool) async throws
  {
    try await withManualControl { control in
      let work = Future()
      let task = Task { try await attempt(within: work, succeeds: succeeds) }
      try await control.clock.timersSet()
      control.clock.advance(by: .seconds(4))
      try await eventually("the second attempt was made") { calls.events.count == 2 }
      try await control.clock.timersSet()
      #expect(calls.events.count == 2)
      control.clock.advance(by: .seconds(8))
      switch await task.result {
      case .success(let value): #expect(value == 7 && succeeds)
      case .failure(let error): #expect(reason(error) == Reason("attempt 3") && !succeeds)
      }
      #expect(calls.events.count == 3 && "\(work)".hasSuffix("pending)"))
    }
  }

  @Test func `an error that isn't transient is thrown at once`() async throws {
    await #expect(throws: Reason("attempt 1")) { try await attempt(within: Future(), if: { _ in false }) }
    #expect(calls.events.count == 1)
  }

  @Test func `a cancellation ends a pause at once, and nothing is attempted any more`() async throws {
    try await withManualControl { control in
      let work = Future()
      let task = Task { try await attempt(within: work) }
      try await control.clock.timersSet()
      work.cancel(throwing: Reason("over"))
      await #expect(throws: Reason("over")) { try await task.value }
      #expect(calls.events.count == 1 && control.clock.timers.isEmpty)
    }
  }

  @Test(arguments: [true, false])
  func `whenever the work or the calling task is cancelled, that is the end, and nothing is attempted any more`(
    work isWork: Bool
  ) async {
    let report = await exploreTasks("cancelled between any two steps") { scenario in
      let (work, isOver) = (Future(), Variable(false))
      let client = Task {
        try await work.retry { () -> Int in
          scenario.check(!isOver.value, "an attempt begins after the cancellation")
          throw Reason("busy")
        }
      }
      await Task.yield()
      if isWork { work.cancel(throwing: Reason("over")) } else { client.cancel() }
      isOver.value = true
      guard case .failure(let error) = await client.result else { return scenario.check(false, "it has a value") }
      scenario.check(isWork ? reason(error) == Reason("over") : error is CancellationError, "it ended with \(error)")
    }
    #expect(report.passedAllThatDiffer)
  }

  @Test(arguments: [true, false], [1, 5])
  func `an attempt that fails because of the cancellation doesn't hide it`(
    work isWork: Bool,
    attempts: Int
  ) async throws {
    let (work, client) = (Future(), ValueFuture<Task<Int, any Error>>())
    let task = Task {
      try await work.retry(attempts: attempts) { () -> Int in
        if isWork { work.cancel(throwing: Reason("over")) } else { try await client.value.cancel() }
        throw Reason("connection lost")
      }
    }
    client.complete(with: task)
    let result = await task.result
    guard case .failure(let error) = result else { return }
    #expect(isWork ? reason(error) == Reason("over") : error is CancellationError, "\(error)")
  }

  @Test func `an attempt that couldn't finish before the deadline isn't made, and the last error is thrown`()
    async throws
  {
    try await withManualControl { control in
      let work = Future()
      let deadline = work.cancel(after: .seconds(5))
      await #expect(throws: Reason("attempt 1")) { try await attempt(within: work, leaving: .seconds(4)) }
      #expect(calls.events.count == 1 && work.isPending)
      deadline.unregister()
    }
  }

  @Test(arguments: [(1, [1, 2, 4, 4, 4]), (8, [4, 4, 4, 4, 4])])
  func `its pauses are a random part of a limit that doubles up to a longest one, and end with the attempts`(
    shortest: Int,
    limits: [Int]
  ) async throws {
    try await withManualControl { control in
      let (calls, parts) = (calls, EventLog<Double>())
      let task = Task {
        var generator = SeededGenerator(seed: 1)
        return try await Future().retry(
          attempts: 6,
          pausing: .seconds(shortest),
          upTo: .seconds(4),
          random: { range in
            parts.add(.random(in: range, using: &generator))
            return parts.events[parts.events.count - 1]
          }
        ) { () -> Int in
          calls.add(Deadline.now)
          throw Reason("busy")
        }
      }
      for (number, limit) in limits.enumerated() {
        try await control.clock.timersSet()
        #expect(calls.events.count == number + 1 && parts.events.count == number + 1)
        // A pause may begin while the clock still moves past the end of the last one: up to a few milliseconds ago.
        control.clock.advance(by: .seconds(limit) * parts.events[number] - .milliseconds(10))
        #expect(control.clock.timers.count == 1)
        control.clock.advance(by: .milliseconds(11))
      }
      await #expect(throws: Reason("busy")) { try await task.value }
      #expect(calls.events.count == 6 && Set(parts.events).count == 5)
      #expect(parts.events.allSatisfy { (0.5...1).contains($0) })
    }
  }

  @Test func `an attempt that throws CancellationError is the last`() async {
    await #expect(throws: CancellationError.self) {
      try await Future().retry { [calls] () -> Int in
        calls.add(Deadline.now)
        throw CancellationError()
      }
    }
    #expect(calls.events.count == 1)
  }

  @Test func `no attempts stop the program, with a message`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try await Future().retry(attempts: 0) { 1 }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("no attempt is made if there are to be 0"))
  }
}
