// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

/// The recipe of the guide Deadlines.
@Suite struct RetryTests {
  private let calls = EventLog<ContinuousClock.Instant>()

  /// Three attempts, of which the last one succeeds, or none.
  private func attempt(
    within work: some CancellableWork,
    succeeds: Bool = true,
    leaving least: Duration = .zero,
    if isTransient: (any Error) -> Bool = { _ in true }
  ) async throws -> Int {
    try await retry(
      within: work,
      leaving: least,
      pause: { error, failures in isTransient(error) && failures < 3 ? .seconds(2 << failures) : nil }
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
        try await retry(within: work, leaving: .zero, pause: { _, _ in .seconds(1) }) { () -> Int in
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

  @Test(arguments: [true, false])
  func `an attempt that fails because of the cancellation doesn't hide it`(work isWork: Bool) async throws {
    let (work, client) = (Future(), ValueFuture<Task<Int, any Error>>())
    let task = Task {
      try await retry(within: work, leaving: .zero, pause: { _, _ in nil }) { () -> Int in
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

  @Test func `its pauses become longer, vary with the generator, and end`() {
    let pauses = ([1, 1, 2] as [UInt64]).map { seed in
      var generator = SeededGenerator(seed: seed)
      return (1...5).map { pause(after: Reason("busy"), $0, using: &generator) }
    }
    #expect(pauses[0] == pauses[1] && pauses[0] != pauses[2])
    for (pause, longest) in zip(pauses[0], [1, 2, 4, 8]) {
      #expect(pause.map { $0 >= .seconds(longest) / 2 && $0 <= .seconds(longest) } == true, "\(pauses[0])")
    }
    #expect(pauses[0][4] == nil)
    var generator = SeededGenerator(seed: 1)
    let unreadable = DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: ""))
    #expect(pause(after: unreadable, 1, using: &generator) == nil)
  }

  @Test func `pauses with a generator are made`() async throws {
    try await withManualControl { control in
      let calls = calls
      let task = Task {
        var generator = SeededGenerator(seed: 1)
        return try await retry(
          within: Future(),
          leaving: .zero,
          pause: { pause(after: $0, $1, using: &generator) }
        ) {
          calls.add(Deadline.now)
          if calls.events.count == 1 { throw Reason("busy") }
          return 7
        }
      }
      try await control.clock.timersSet()
      control.clock.advance(by: .seconds(1))
      #expect(try await task.value == 7)
      #expect(calls.events.count == 2)
    }
  }
}
