// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

@Suite struct SchedulerTests {
  @Test func `a task that outlives its scheduler has the time of the machine again`() async throws {
    let isOver = Gate("the scheduler has ended")
    let task = try withManualControl { control in
      control.clock.advance(by: .seconds(1_000_000))
      return Task {
        await isOver.passed()
        return (Deadline.now, ContinuousClock.now)
      }
    }
    isOver.open()
    let (now, clock) = await task.value
    #expect(clock - now < .seconds(1_000) && now - clock < .seconds(1_000))
  }
}
