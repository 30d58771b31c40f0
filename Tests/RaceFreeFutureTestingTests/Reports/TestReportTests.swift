// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting
import TestSupport
import Testing

@Suite struct TestReportTests {
  private struct Report: TestReport {
    let verdict: TestVerdict
    let description = "the table"
  }

  /// Returns the issues that a closure records, as severity, text and line.
  private func issues(_ body: @Sendable () async -> Void) async throws -> [String] {
    try await recordedIssues(body).map { issue in
      let text = issue.comments.map(\.rawValue).joined().split(separator: "\n").first ?? ""
      return "\(issue.severity) \(issue.sourceLocation?.line ?? 0) \(text)"
    }
  }

  @Test func `a report records itself where record is called, unless it passed`() async throws {
    let recorded = try await issues {
      Report(verdict: .passed).record()
      Report(verdict: .failed).record()
      Report(verdict: .inconclusive).record()
    }
    #expect(recorded == ["error \(#line - 3) the table", "warning \(#line - 2) the table"])
  }

  @Test func `a race that fails is an error at its call, without any other one`() async throws {
    let line = #line
    let recorded = try await issues {
      await race(
        "one",
        .init(rounds: 10),
        make: { 1 },
        actors: { $0 },
        { $0 },
        outcome: { _, _, _ in true },
        expect: [.forbidden(true)]
      )
      await race(
        "two",
        .init(rounds: 10),
        make: { 1 },
        tasks: 2,
        each: { $0 + $1 },
        outcome: { _, _ in true },
        expect: [.forbidden(true)]
      )
    }
    #expect(recorded.count == 2, "\(recorded)")
    #expect(recorded.first?.hasPrefix("error \(line + 2) FAILED  one: ") == true, "\(recorded)")
    #expect(recorded.last?.hasPrefix("error \(line + 11) FAILED  two: ") == true, "\(recorded)")
  }

  @Test func `a race that showed too little is a warning, or an error for those who say so`() async throws {
    @Sendable func short(_ requires: RequiredExtent) async -> RaceReport<Bool> {
      await race(
        "short",
        .init(rounds: .max, for: .milliseconds(1), requires: requires),
        make: { 1 },
        actors: { $0 },
        { $0 },
        outcome: { _, _, _ in true },
        expect: [.acceptable(true)]
      )
    }
    let recorded = try await issues {
      #expect(await short(.warning).verdict == .inconclusive)
      #expect(await short(.error).verdict == .inconclusive)
      #expect(await short(.nothing).verdict == .passed)
    }
    #expect(recorded.map { $0.prefix { $0 != " " } } == ["warning", "error"], "\(recorded)")
  }

  @Test func `explorations, stresses and histories that fail are errors at their calls`() async throws {
    let line = #line
    let recorded = try await issues {
      await exploreTasks { scenario in scenario.check(false, "wrong") }
      await explore { scenario in scenario.actor("a", .init("fails") { throw Reason("no") }) }
      await linearizabilityStress(
        "stress",
        histories: 1,
        make: { 0 },
        model: 0,
        operations: [.init("read()", { $0 }, model: { $0 + 1 })]
      )
      let history = History<Bool, Bool>([.init(thread: 0, true, answer: false, begun: 1, ended: 2)])
      await checkLinearizability(of: history, against: Echo())
    }
    let lines = [2, 3, 4, 12].map { "error \(line + $0)" }
    #expect(recorded.map { $0.split(separator: " ").prefix(2).joined(separator: " ") } == lines, "\(recorded)")
    #expect(recorded.first?.contains("explorations, stresses and histories that fail") == true, "\(recorded)")
  }

  @Test func `without recording, only the report tells`() async throws {
    let recorded = try await issues {
      let report = await withoutRecording {
        await exploreTasks { scenario in scenario.check(false, "wrong") }
      }
      #expect(report.verdict == .failed)
    }
    #expect(recorded == [])
  }
}

/// An operation answers what it was given.
private struct Echo: SequentialModel {
  let initialState = 0
  func states(after operation: Bool, answering answer: Bool?, in state: Int) -> [Int] {
    answer == nil || answer == operation ? [state] : []
  }
}
