// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

@testable import RaceFreeFutureExploring

/// What the report of a failing order says beyond the order.
@Suite struct DecidingStepTests {
  actor Demo {
    var value = 0
    func read() -> Int { value }
    func write(_ new: Int) { value = new }
  }

  /// Tasks that each read a value, and write it back in a second call.
  private func lostIncrement(_ count: Int) async -> Exploration {
    await exploreTasks("no increment is lost") { scenario in
      let demo = Demo()
      await withTaskGroup { group in
        for _ in 0..<count { group.addTask { await demo.write(await demo.read() + 1) } }
      }
      let value = await demo.value
      scenario.check(value == count, "the counter is \(value)")
    }
  }

  #if os(Linux) && DEBUG
    @Test(.withoutRecording) func `The last step at which another choice avoids the failure is marked`() async {
      let report = await lostIncrement(2)
      let text = """
        explore "no increment is lost" FAILED: order 1, in which each continues as long as it can
        the counter is 1

              body             │ child task          │ child task #2       │ Demo
             ──────────────────┼─────────────────────┼─────────────────────┼────────────────────
           1  awaits its group │                     │                     │
           2                   │ calls Demo.read()   │                     │
         ▸ 3                   │                     │ calls Demo.read()   │
           4                   │                     │                     │ runs child task
           5                   │                     │                     │ runs child task #2
           6                   │ calls Demo.write(…) │                     │
           7                   │                     │ calls Demo.write(…) │
           8                   │                     │                     │ runs child task
           9                   │                     │                     │ runs child task #2
          10  reads Demo.value │                     │                     │
          11                   │                     │                     │ runs body
        ✗ 12  ends             │                     │                     │

        ▸ decides: no later choice was found that avoids the failure

        this order is the same each time; to run it alone, give explore as its second argument:
        .replay("000112233112233030")
        """
      #expect(report.description == text)
    }

    @Test(.withoutRecording) func `The failing order of 32 tasks takes eight lines`() async {
      let report = await lostIncrement(32)
      let rows = report.description.split(separator: "\n").drop { !$0.contains("┼") }.dropFirst()
      #expect(rows.prefix { !$0.contains("this order") }.count == 8, "\(report)")
      #expect(report.description.contains("2–33  child task … #32 │ calls Demo.read()"), "\(report)")
    }

    @Test(.withoutRecording) func `A step says whom it cancels, and is marked if that decides`() async {
      let report = await exploreTasks("a wait can be cancelled") { _ in
        let waiting = Variable<CheckedContinuation<Void, Never>?>(nil)
        let task = Task {
          await withTaskCancellationHandler {
            await withCheckedContinuation { waiting.value = $0 }
          } onCancel: {
            waiting.value?.resume()
          }
        }
        task.cancel()
        await task.value
      }
      #expect(report.failure?.hasPrefix("deadlock") == true, "\(report)")
      #expect(report.description.contains("▸ 1  cancels and awaits task │"), "\(report)")
    }
  #endif

  @Test(.withoutRecording) func `A child that isn't the body's own says whose it is`() async {
    let report = await exploreTasks("titles") { scenario in
      await Task(name: "uploader") {
        await withTaskGroup { group in group.addTask {} }
      }.value
      async let own: Void = Task.yield()
      await own
      scenario.check(false, "draw it")
    }
    #expect(report.description.contains(" child task of uploader "), "\(report)")
    #expect(report.description.contains(" async let "), "\(report)")
  }

  @Test(.withoutRecording) func `An order that is replayed is the only one that is run`() async {
    let runs = Variable(0)
    let report = await explore("it fails", .replay("00")) { scenario in
      runs.value += 1
      scenario.actor("a", .init("1") {}, .init("2") {})
      scenario.actor("b", .init("3", when: { false }) {})
    }
    #expect(report.failure?.hasPrefix("deadlock") == true && runs.value == 1, "\(report)")
  }
}
