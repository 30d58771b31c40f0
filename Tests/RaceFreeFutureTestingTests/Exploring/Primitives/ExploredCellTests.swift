// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import RaceFreeFutureTesting
import Synchronization
import TestSupport
import Testing

@Suite struct ExploredCellTests {
  @Test(.withoutRecording, arguments: [(true, true), (true, false), (false, true), (false, false)])
  func `What is published is guarded by release and acquire, and by nothing less`(releases: Bool, acquires: Bool) async
  {
    let report = await explore("publishing") { scenario in
      let payload = Explored.Cell(0)
      let isReady = Explored.Atomic(false)
      scenario.thread("writer") {
        payload.value = 42
        if releases {
          isReady.store(true, ordering: .releasing)
        } else {
          isReady.store(true, ordering: .relaxed)
        }
      }
      scenario.thread("reader") {
        let ready = acquires ? isReady.load(ordering: .acquiring) : isReady.load(ordering: .relaxed)
        if ready { _ = payload.value }
      }
    }
    #expect(report.passed == (releases && acquires), "\(report)")
    if !report.passed {
      #expect(report.failure?.hasPrefix("\"reader\" reads cell 1 (") == true, "\(report)")
      #expect(
        report.failure?.hasSuffix("which \"writer\" wrote, and nothing orders the two: a race") == true,
        "\(report)"
      )
    } else {
      #expect(report.isComplete)
    }
  }

  @Test func `Two that only read are no race`() async {
    let report = await explore("reading") { scenario in
      let cell = Explored.Cell(1)
      for name in ["a", "b"] { scenario.thread(name) { _ = cell.value } }
    }
    #expect(report.passed && report.isComplete && report.orders == 1, "\(report)")
  }

  @Test(.withoutRecording) func `A write behind a read by another thread is one`() async {
    let report = await explore("reading and writing") { scenario in
      let cell = Explored.Cell(1)
      let flag = Explored.Atomic(false)
      scenario.thread("a") {
        _ = cell.value
        flag.store(true, ordering: .relaxed)
      }
      scenario.thread("b") { if flag.load(ordering: .acquiring) { cell.value = 2 } }
    }
    #expect(report.failure?.contains("\"b\" writes cell 1 (") == true, "\(report)")
    #expect(report.failure?.contains("which \"a\" read,") == true, "\(report)")
  }

  @Test func `A mutex guards it`() async {
    let report = await explore("guarded") { scenario in
      let cell = Explored.Cell(0)
      let lock = Explored.Mutex(())
      for name in ["a", "b"] { scenario.thread(name) { lock.withLock { _ in cell.value += 1 } } }
      scenario.atEnd { cell.value == 2 ? nil : "\(cell.value)" }
    }
    #expect(report.passed && report.isComplete, "\(report)")
  }

  @Test func `Outside of an exploration it is a variable`() {
    let cell = Explored.Cell([1])
    cell.value.append(2)
    #expect(cell.value == [1, 2])
  }
}
