// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting
import TestSupport
import Testing

/// Five types with a lock that check and then act, and the same types mended: what each tool says to them.
@Suite struct LockedProgramTests {
  @Test(.withoutRecording, arguments: LockedProgram.all)
  func `a race finds the buggy program`(program: LockedProgram) async {
    let report = await raced(program, isMended: false, .init(rounds: 10_000_000))
    #expect(report.verdict == .failed, "\(report)")
  }

  @Test(arguments: LockedProgram.all)
  func `a race says nothing against the mended program`(program: LockedProgram) async {
    let report = await raced(program, isMended: true, .init(rounds: iterations(3_000), requires: .nothing))
    #expect(report.passed)
  }

  private func raced(_ program: LockedProgram, isMended: Bool, _ options: RaceOptions) async -> RaceReport<[Int]> {
    await race(
      program.name,
      options,
      make: { RealGuard(program.initial) },
      actors: { program.call($0, 0, isMended: isMended) },
      { program.call($0, 1, isMended: isMended) },
      outcome: { number, first, second in [first, second, number.withLock { $0 }] },
      expect: program.expected
    )
  }

  @Test(.withoutRecording, arguments: LockedProgram.all)
  func `a stress finds the buggy program`(program: LockedProgram) async {
    let report = await stressed(program, isMended: false)
    #expect(report.verdict == .failed, "\(report)")
  }

  @Test(.withoutRecording, arguments: 1...20)
  func `a stress finds a check before its act in each of twenty runs`(run: Int) async throws {
    let program = try #require(LockedProgram.all.first)
    let report = await stressed(program, isMended: false)
    #expect(report.verdict == .failed, "run \(run): \(report)")
  }

  @Test(arguments: LockedProgram.all)
  func `a stress says nothing against the mended program`(program: LockedProgram) async {
    let report = await stressed(program, isMended: true, histories: iterations(2_000))
    #expect(report.passed)
  }

  /// Makes a stress: by default of as many histories as it may take on a busy machine, since the first failure ends it.
  private func stressed(
    _ program: LockedProgram,
    isMended: Bool,
    histories: Int = 5_000_000
  ) async -> LinearizabilityReport {
    await linearizabilityStress(
      program.name,
      histories: histories,
      requires: .warning(overlap: 0),
      make: { RealGuard(program.initial) },
      model: program.initial,
      operations: [0, 1].map { thread in
        .init(
          "call(\(thread))",
          { program.call($0, thread, isMended: isMended) },
          model: { program.whole(&$0, thread) }
        )
      },
      finally: [.init("number", { $0.withLock { $0 } }, model: { $0 })]
    )
  }

  @Test(.withoutRecording, arguments: LockedProgram.all)
  func `an exploration that sees no lock has no conclusion, and names those that it sees`(
    program: LockedProgram
  ) async {
    for isMended in [false, true] {
      let report = await exploreTasks("tasks with a real lock") { scenario in
        let number = RealGuard(program.initial)
        async let first = program.call(number, 0, isMended: isMended)
        async let second = program.call(number, 1, isMended: isMended)
        let outcome = [await first, await second, number.withLock { $0 }]
        scenario.check(program.expected.contains { $0.value == outcome }, "\(outcome)")
      }
      #expect(report.verdict == .inconclusive && !report.hasPoints, "\(report)")
      #expect(report.description.contains("Explored.Mutex"), "\(report)")
      let threads = await explored(program, isMended: isMended) { RealGuard($0) }
      #expect(threads.verdict == .inconclusive && !threads.hasPoints, "\(threads)")
    }
  }

  @Test(.withoutRecording, arguments: LockedProgram.all)
  func `an exploration that sees the lock finds the buggy program, and passes the mended one`(
    program: LockedProgram
  ) async {
    let buggy = await explored(program, isMended: false) { ExploredGuard($0) }
    #expect(buggy.verdict == .failed, "\(buggy)")
    let mended = await explored(program, isMended: true) { ExploredGuard($0) }
    #expect(mended.verdict == .passed && mended.isComplete && mended.hasPoints, "\(mended)")
  }

  private func explored(
    _ program: LockedProgram,
    isMended: Bool,
    make: @escaping @Sendable (Int) -> any GuardedNumber
  ) async -> Exploration {
    await explore("threads with a lock") { scenario in
      let number = make(program.initial)
      let answers = [RealGuard(0), RealGuard(0)]
      for thread in [0, 1] {
        scenario.thread("thread \(thread)") {
          let answer = program.call(number, thread, isMended: isMended)
          answers[thread].withLock { $0 = answer }
        }
      }
      scenario.atEnd {
        let outcome = answers.map { $0.withLock { $0 } } + [number.withLock { $0 }]
        return program.expected.contains { $0.value == outcome } ? nil : "\(outcome)"
      }
    }
  }

  @Test func `a race that nobody looks at fails its test if the program is buggy`() async throws {
    let issues = try await recordedIssues {
      _ = await raced(LockedProgram.all[0], isMended: false, .init(rounds: 10_000_000))
    }
    #expect(issues.count == 1 && issues.first?.severity == .error)
    #expect(issues.first?.sourceLocation?.fileID.hasSuffix("/LockedProgramTests.swift") == true)
  }
}
