// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

/// The watchdog of the guide Deadlines.
@Suite struct WatchdogTests {
  private let chunks = AsyncStream.makeStream(of: [UInt8].self)
  private let copied = EventLog<[UInt8]>()

  private func start(_ control: ManualControl) async throws -> Task<Void, any Error> {
    let (chunks, copied) = (chunks.stream, copied)
    let task = Task { try await copy(chunks) { copied.add($0) } }
    try await control.clock.timersSet()
    return task
  }

  @Test func `a copy that makes progress may take any time`() async throws {
    try await withManualControl { control in
      let task = try await start(control)
      for number in 1...3 {
        control.clock.advance(by: .seconds(29))
        chunks.continuation.yield([UInt8(number)])
        // It was fed for the first chunk when the second one is copied.
        chunks.continuation.yield([])
        try await eventually("the chunks were copied") { copied.events.count == 2 * number }
      }
      chunks.continuation.finish()
      try await task.value
      #expect(control.clock.timers.isEmpty)
    }
  }

  @Test func `a copy that waits for a chunk for too long ends with the timeout`() async throws {
    try await withManualControl { control in
      let task = try await start(control)
      control.clock.advance(by: .seconds(30))
      await #expect(throws: TimeoutError.self) { try await task.value }
    }
  }

  @Test func `a copy that is cut off by the cancellation of its task isn't complete`() async throws {
    try await withManualControl { control in
      let task = try await start(control)
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(control.clock.timers.isEmpty)
    }
  }
}
