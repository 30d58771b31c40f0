// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting
import Synchronization
import TestSupport
import Testing

/// Tasks that begin on the stack of the one that makes them.
@Suite struct ImmediateTaskTests {
  private actor Log {
    private(set) var lines: [String] = []
    func add(_ line: String) { lines.append(line) }
  }

  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  @Test func `A task that begins at once is faster up to its first suspension, and then a task like others`() async {
    let seen = Variable(Set<[String]>())
    let report = await exploreTasks("log") { scenario in
      scenario.sharesOnlyActorsAndExplored()
      let (log, first) = (Log(), Shared(Explored.Atomic(0)))
      let task = Task.immediate {
        first.value.store(1, ordering: .sequentiallyConsistent)
        await log.add("the task")
        await log.add("again")
      }
      scenario.check(first.value.load(ordering: .sequentiallyConsistent) == 1, "it hasn't begun")
      await log.add("the maker")
      await task.value
      seen.value.insert(await log.lines)
    }
    #expect(report.passed && report.isComplete && report.uncontrolled == nil, "\(report)")
    // Its first call is queued before its maker goes on.
    #expect(seen.value == [["the task", "again", "the maker"], ["the task", "the maker", "again"]], "\(report)")
  }

  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  @Test(.withoutRecording, arguments: [false, true])
  func `Others act before it begins, and when it has come back`(_ isLater: Bool) async {
    let report = await exploreTasks("nobody is faster") { scenario in
      let isBegun = Shared(Explored.Atomic(0))
      let other = Task { isBegun.value.load(ordering: .sequentiallyConsistent) }
      let task = Task.immediate { isBegun.value.store(1, ordering: .sequentiallyConsistent) }
      let seen = await other.value
      scenario.check(seen == (isLater ? 0 : 1), "it is \(seen)")
      await task.value
    }
    #expect(report.failure == "it is \(isLater ? 1 : 0)", "\(report)")
  }

  @Test func `A task that is said to prefer no executor is controlled`() async {
    let report = await exploreTasks("no executor") { _ in
      let log = Log()
      let tasks = ["a", "b"].map { name in Task(executorPreference: nil) { await log.add(name) } }
      for task in tasks { await task.value }
    }
    #expect(report.passed && report.uncontrolled == nil, "\(report)")
  }

  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  @Test func `A child of a group that begins at once ends its group`() async {
    let report = await exploreTasks("group") { scenario in
      let log = Log()
      await withTaskGroup(of: Void.self) { group in
        for name in ["a", "b"] { group.addImmediateTask { await log.add(name) } }
      }
      let count = await log.lines.count
      scenario.check(count == 2, "\(count) lines")
    }
    #expect(report.passed && report.isComplete && report.uncontrolled == nil, "\(report)")
  }
}
