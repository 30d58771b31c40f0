// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting
import Testing

@testable import RaceFreeFutureTestingTools

/// What somebody reads who has only the log.
@Suite struct RaceReportTests {
  @Test func `a forbidden outcome is explained, marked, and can be looked for again`() {
    var tally = Tally<String>()
    for round in 1...20_000 { tally.add(round % 2 == 0 ? "true false" : "false true", round: round) }
    tally.add("true true", round: 20_001)
    tally.add("null", round: 20_002)
    let report = report(
      tally,
      expected: [
        .acceptable("true false", "completed first"),
        .interesting("false true", "cancelled first"),
        .acceptable("false false"),
        .forbidden("both won", where: { $0 == "true true" }),
        .forbidden("nobody won", where: { $0 == "???" }),
      ]
    )
    #expect(!report.passed)
    #expect(
      report.description(in: .unicode) == """
        FAILED  complete against cancel: 20,002 rounds in 1.50 s, 61 % of them overlapping
        "true true" is forbidden (both won), and came up 1 time, in round 20,001.
        "null" is not listed as acceptable, and came up 1 time, in round 20,002.

           outcome       count        share  verdict      meaning
           ───────────  ──────  ───────────  ───────────  ───────────────
           true false   10,000      50.00 %  acceptable   completed first
        !  false true   10,000      50.00 %  interesting  cancelled first
        ✗  true true         1  1 in 20,002  forbidden    both won
        ✗  null              1  1 in 20,002  not listed
        ?  false false       0   never seen  acceptable

        What never came up can't be vouched for: the stress was too weak, or it is impossible.
        The seed repeats pauses, pacing and cores. The timing of the hardware isn't repeatable: counts vary.
        again: RACEFREEFUTURE_SEED=42 swift test --filter 'completeAgainstCancel'
        """
    )
  }

  @Test func `a report that passed has the same form, in plain ASCII where that is needed`() {
    var tally = Tally<Bool>()
    for round in 1...800 { tally.add(round > 200, round: round) }
    let report = report(tally, expected: [.acceptable(true), .acceptable(false, "lost, but known to be")])
    #expect(report.passed)
    #expect(
      report.description(in: .ascii) == """
        passed  complete against cancel: 800 rounds in 1.50 s, 61 % of them overlapping

          outcome  count    share  verdict     meaning
          -------  -----  -------  ----------  ---------------------
          true       600  75.00 %  acceptable
          false      200  25.00 %  acceptable  lost, but known to be

        The seed repeats pauses, pacing and cores. The timing of the hardware isn't repeatable: counts vary.
        again: RACEFREEFUTURE_SEED=42 swift test --filter 'completeAgainstCancel'
        """
    )
  }

  @Test func `what never came up fails only if it is required`() {
    var tally = Tally<Int>()
    tally.add(1, round: 1)
    let expected: [ExpectedOutcome<Int>] = [.acceptable(1), .acceptable(2, "two"), .interesting(3), .forbidden(4)]
    let lax = report(tally, expected: expected)
    #expect(lax.passed)
    #expect(lax.unseen.map(\.value) == [2, 3])
    let strict = report(tally, expected: expected, requiresAllAcceptable: true)
    #expect(!strict.passed)
    #expect("\(strict)".contains("\n\"2\" was required to come up, and never did.\n"))
    #expect(!"\(strict)".contains("\"3\" was required"))
  }

  @Test func `however much comes up, the report stays short and shows what failed`() {
    var tally = Tally<String>()
    for round in 1...500 { tally.add("\(round) " + String(repeating: "long\n", count: 99), round: round) }
    tally.add("bad", round: 501)
    let report = report(
      tally,
      name: String(repeating: "a name\n", count: 40),
      expected: (1...30).map { .acceptable("unseen \($0)", String(repeating: "so ", count: 99)) }
        + [.acceptable("long", where: { $0.contains("long") })]
    )
    for style in [TextStyle.unicode, .ascii] {
      let lines = report.description(in: style).split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.count <= 60)
      #expect(lines.allSatisfy { $0.count <= 110 })
      #expect(lines.contains { $0.hasPrefix("\(style.cross)  bad ") })
      #expect(lines.contains { $0.contains("and 465 other outcomes, in 465 rounds") })
      #expect(lines.contains { $0.contains("and 22 other outcomes, never seen") })
      #expect(lines.last?.hasPrefix("again: ") == true)
    }
  }

  @Test(
    arguments: [
      ("`the end: a \"name\"`()", " --filter 'the end'"), ("testEnd()", " --filter 'testEnd'"), ("$0", ""), ("", ""),
      ("it's late()", " --filter 'it'"),
    ]
  )
  func `the line to paste is one for a shell`(function: String, filter: String) {
    let report = report(Tally<Int>(), expected: [], function: function)
    #expect(report.description.hasSuffix("\nagain: RACEFREEFUTURE_SEED=42 swift test\(filter)"))
  }

  @Test func `a share of overlaps that means nothing is said to`() {
    var tally = Tally<Int>()
    for round in 1...99 { tally.add(1, round: round) }
    let few = "\(report(tally, expected: [], overlap: 0.5))"
    #expect(few.contains("\nSo few rounds tell nothing about how much the actors overlap.\n"), "\(few)")
    let crowded = "\(report(tally, expected: [], overlap: 0.5, cores: 1))"
    #expect(crowded.contains("\n2 actors on 1 core: they overlap only where the system interrupts one, "), "\(crowded)")
  }

  @Test func `what actors threw is told, and fails the race`() {
    var tally = Tally<Int>()
    for round in 1...100 { tally.add(1, round: round) }
    let errors = (1...5).map { ActorError(actor: $0, error: "no\n\($0)", count: $0, firstRound: 7) }
    let report = report(tally, expected: [.acceptable(1)], errors: errors)
    #expect(!report.passed)
    #expect("\(report)".contains("\nActor 1 threw \"no\\n1\" 1 time, in round 7; nobody looked at the outcome.\n"))
    #expect("\(report)".contains("\nActor 2 threw \"no\\n2\" 2 times, first in round 7; nobody"))
    #expect("\(report)".contains("\nSo it was with 2 other errors.\n"), "\(report)")
  }

  @Test func `what stuck threads do stands below the sentence about them`() {
    let report = report(
      Tally<Int>(),
      expected: [],
      interruption: .actorsStuck([1, 2], round: 7),
      whereabouts: ["actor 1 sleeps", "actor 2 runs"]
    )
    #expect(
      "\(report)".contains(
        "\nActors 1 and 2 didn't return in round 7. Given up after 10.00 s; their threads are left behind.\n"
      ),
      "\(report)"
    )
    #expect("\(report)".contains("\n  actor 1 sleeps\n  actor 2 runs\n"), "\(report)")
  }

  @Test func `a race of too few rounds is inconclusive, and one of enough tells that the time was up`() {
    var tally = Tally<Int>()
    for round in 1...41_312 { tally.add(1, round: round) }
    let short = report(tally, expected: [.acceptable(1)], plannedRounds: 100_000, isCutShort: true)
    #expect(short.verdict == .inconclusive && !short.passed)
    let text = "\(short)"
    #expect(text.hasPrefix("INCONCLUSIVE  complete against cancel: 41,312 of 100,000 rounds in 1.50 s"), "\(text)")
    let reason =
      "\nThe time was up after 41 % of the rounds, and 50 % are required: that nothing was found shows nothing.\n"
    #expect(text.contains(reason), "\(text)")
    let enough = report(
      tally,
      expected: [.acceptable(1)],
      plannedRounds: 100_000,
      isCutShort: true,
      requires: .error(rounds: 0.4, overlap: 0.6)
    )
    #expect(enough.passed)
    #expect("\(enough)".hasPrefix("passed  complete against cancel: 41,312 of 100,000 rounds in 1.50 s"), "\(enough)")
    #expect("\(enough)".contains("\nThe time was up before all rounds were done.\n"), "\(enough)")
  }

  @Test func `a race that hardly overlapped is inconclusive, and one that failed has failed`() {
    var tally = Tally<Int>()
    for round in 1...100 { tally.add(1, round: round) }
    let apart = report(tally, expected: [.acceptable(1)], overlap: 0.0009)
    #expect(apart.verdict == .inconclusive)
    let reason = "\n0.09 % overlapped, and 0.10 % are required: that nothing was found shows nothing.\n"
    #expect("\(apart)".contains(reason), "\(apart)")
    #expect(report(tally, expected: [.acceptable(1)], overlap: 0.001).passed)
    #expect(report(tally, expected: [.acceptable(1)], overlap: 0, requires: .nothing).passed)
    #expect(report(tally, expected: [.forbidden(1)], overlap: 0).verdict == .failed)
    var few = Tally<Int>()
    for round in 1...99 { few.add(1, round: round) }
    #expect(report(few, expected: [.acceptable(1)], overlap: 0).passed)
    #expect(report(tally, expected: [.acceptable(1)], overlap: 0.0001, cores: 1).passed)
    #expect(report(tally, expected: [.acceptable(1)], overlap: 0, cores: 1).verdict == .inconclusive)
  }

  private func report<Outcome>(
    _ tally: Tally<Outcome>,
    name: String = "complete against cancel",
    expected: [ExpectedOutcome<Outcome>],
    overlap: Double = 0.61,
    plannedRounds: Int? = nil,
    isCutShort: Bool = false,
    errors: [ActorError] = [],
    interruption: RaceInterruption? = nil,
    whereabouts: [String] = [],
    cores: Int = 2,
    requiresAllAcceptable: Bool = false,
    requires: RequiredExtent = .warning,
    function: String = "completeAgainstCancel()"
  ) -> RaceReport<Outcome> {
    let (observed, unseen) = tally.judged(by: expected)
    return RaceReport(
      name: name,
      rounds: observed.reduce(0) { $0 + $1.count },
      plannedRounds: plannedRounds ?? observed.reduce(0) { $0 + $1.count },
      isCutShort: isCutShort,
      duration: .milliseconds(1_500),
      overlap: overlap,
      outcomes: observed,
      unseen: unseen,
      errors: errors,
      interruption: interruption,
      whereabouts: whereabouts,
      seed: 42,
      actors: 2,
      cores: cores,
      requiresAllAcceptable: requiresAllAcceptable,
      requires: requires,
      patience: .seconds(10),
      function: function
    )
  }
}
