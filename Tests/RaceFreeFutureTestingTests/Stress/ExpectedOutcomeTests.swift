// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting
import TestSupport
import Testing

@Suite struct ExpectedOutcomeTests {
  @Test func `the first entry that fits counts`() async {
    let report = await race(
      "constant",
      .init(rounds: 10),
      make: { 7 },
      actors: { $0 },
      { $0 },
      outcome: { number, _, _ in number },
      expect: [
        .forbidden(8, "eight"), .interesting("odd", where: { !$0.isMultiple(of: 2) }), .forbidden(7, "seven"),
        .acceptable("all", where: { _ in true }),
      ]
    )
    #expect(report.passed)
    #expect(report.outcomes.map(\.meaning) == ["odd"])
    #expect(report.outcomes.map(\.verdict) == [.interesting])
    #expect(report.outcomes.map(\.count) == [10])
    #expect(report.outcomes.map(\.firstRound) == [1])
    #expect(report.outcomes.map(\.share) == [1])
    #expect(report.unseen.map(\.meaning) == ["all"])
  }

  @Test(.withoutRecording) func `what none fits is not listed and fails`() async {
    let report = await race(
      "constant",
      .init(rounds: 10),
      make: { 7 },
      actors: { $0 },
      { $0 },
      outcome: { number, _, _ in number },
      expect: []
    )
    #expect(!report.passed)
    #expect(report.outcomes.map(\.verdict) == [.unlisted])
  }

  @Test(arguments: [(OutcomeVerdict.acceptable, false), (.interesting, false), (.forbidden, true), (.unlisted, true)])
  func `what is forbidden or not listed is a failure`(verdict: OutcomeVerdict, isFailure: Bool) {
    #expect(verdict.isFailure == isFailure)
  }
}
