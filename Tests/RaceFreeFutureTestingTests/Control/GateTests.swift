// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting
import TestSupport
import Testing

@Suite(.exitTests) struct GateTests {
  @Test func `threads and tasks wait until it is opened, and pass at once afterwards`() async {
    let gate = Gate("now")
    let log = EventLog<String>("passages")
    let waiting = EventLog<Void>()
    async let thread: Void = onThread {
      waiting.add(())
      gate.wait()
      log.add("thread")
    }
    async let tasks: Void = withTaskGroup(of: Void.self) { group in
      for _ in 0..<100 {
        group.addTask {
          waiting.add(())
          await gate.passed()
          log.add("task")
        }
      }
    }
    _ = try? await waiting.wait(for: 101)
    #expect(log.events.isEmpty && !gate.isOpen)
    gate.open()
    gate.open()
    _ = await (thread, tasks)
    #expect(log.count == 101 && gate.isOpen)
    await gate.passed()
    await onThread { gate.wait() }
  }

  @Test func `a gate that nobody opens stops the program and says which`() async throws {
    let ofTask = try #require(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        await Gate("the download has started", deadline: .milliseconds(1)).passed()
      }
    )
    let ofThread = try #require(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        await onThread { Gate("the download has started", deadline: .milliseconds(1)).wait() }
      }
    )
    for result in [ofTask, ofThread] {
      let text = String(decoding: result.standardErrorContent, as: UTF8.self)
      #expect(text.contains("nobody opened the gate \"the download has started\""), "\(text)")
      #expect(text.contains("GateTests.swift:"), "\(text)")
    }
  }

  @Test func `in an explored order nobody watches the wait, so that all is under control`() async {
    let report = await exploreTasks("a gate and a log") { _ in
      let (gate, log) = (Gate("open"), EventLog<Int>())
      async let passed: Void = gate.passed()
      async let events = log.wait(for: 1)
      gate.open()
      log.add(1)
      await passed
      _ = try await events
    }
    #expect(report.passed && report.uncontrolled == nil, "\(report)")
  }
}
