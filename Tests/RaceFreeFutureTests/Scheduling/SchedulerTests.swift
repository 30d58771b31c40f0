// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting
import TestSupport
import Testing

@testable import RaceFreeFuture

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

  /// In a process of its own: one thread of a process is scheduled, and explorations have that turn.
  @Test(.exitTests) func `a thread that has taken over the scheduling isn't scheduled any more when that is over`()
    async
  {
    await #expect(processExitsWith: .success) {
      let (hasTakenOver, isOver, hasEnded) = (Gate("taken over"), Gate("over"), Gate("the other thread has ended"))
      try withManualControl { _ in
        let scheduler = try #require(Scheduling.current)
        Scheduling.scheduleThread(by: scheduler) {
          startThread {
            Scheduling.scheduleFromHere()
            #expect(Scheduling.current === scheduler)
            hasTakenOver.open()
            isOver.wait()
            #expect(!Scheduling.isOnScheduledThread && Scheduling.current == nil)
            hasEnded.open()
          }
          hasTakenOver.wait()
        }
        isOver.open()
        hasEnded.wait()
      }
    }
  }
}
