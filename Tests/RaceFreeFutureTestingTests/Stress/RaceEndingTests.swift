// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFutureTesting
import Synchronization
import TestSupport
import Testing

/// How a race ends: by rounds, by time, by cancellation, and because something is stuck.
@Suite(.withoutRecording) struct RaceEndingTests {
  /// Mostly long enough for a thread to get its turn on a busy machine.
  private static let patience = Duration.milliseconds(200)

  @Test func `a race without rounds fails and says that nothing is known`() async {
    for rounds in [0, -1] {
      let report = await trivialRace(rounds: rounds)
      #expect(!report.passed)
      #expect(report.rounds == 0)
      #expect("\(report)".contains("\nNo round was run, so nothing is known.\n"))
    }
    let report = await trivialRace(for: .zero)
    #expect(!report.passed)
    #expect(report.rounds == 0)
  }

  @Test func `what is reached first ends it, rounds or time`() async {
    let byTime = await trivialRace(rounds: .max, for: .milliseconds(30))
    #expect(byTime.passed)
    #expect(byTime.rounds > 0)
    #expect(byTime.duration >= .milliseconds(30))
    let byTimeOnly = await trivialRace(for: .milliseconds(30))
    #expect(byTimeOnly.passed)
    let byRounds = await trivialRace(rounds: 77, for: .seconds(3_600))
    #expect(byRounds.rounds == 77)
    #expect(byRounds.passed)
  }

  @Test func `a race has 100,000 rounds and a minute, or all the rounds that it is told`() {
    let options = RaceOptions()
    #expect(options.rounds == 100_000)
    #expect(options.time != nil)
    #expect(RaceOptions(rounds: 7).time == nil)
    #expect(RaceOptions(for: .seconds(3)).rounds == 100_000 && RaceOptions(for: .seconds(3)).time == .seconds(3))
  }

  @Test func `a race whose time is up says how many rounds there were`() async {
    // Each round takes 10 ms: a batch of 64 less than a second.
    let report = await trivialRace(for: .milliseconds(500), outcome: { _ in usleep(10_000) })
    #expect(report.passed)
    #expect(report.isCutShort && report.plannedRounds == 100_000)
    #expect(report.rounds >= 64 && report.rounds < 100_000)
    #expect("\(report)".contains(": \(report.rounds) of 100,000 rounds in "), "\(report)")
    let quick = await trivialRace(rounds: 10)
    #expect(!quick.isCutShort && quick.plannedRounds == 10)
  }

  #if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
    @Test(.exitTests) func `the environment makes it more patient`() async {
      await #expect(processExitsWith: .success) {
        setPatience("1.5")
        let gate = Gate("the end of the race")
        let report = await withoutRecording {
          await race(
            "stuck",
            .init(patience: .milliseconds(20)),
            make: { 0 },
            actors: { (_: Int) in gate.wait() },
            { (_: Int) in },
            outcome: { _, _, _ in true },
            expect: [.acceptable(true)]
          )
        }
        #expect("\(report)".contains("Given up after 0.03 s; "), "\(report)")
        gate.open()
      }
    }
  #endif

  @Test func `cancelling the task ends it`() async {
    // Races run one after the other: this one may have to wait for those of all the other tests.
    let started = Gate("the first round", deadline: .seconds(3_600))
    let race = Task {
      await trivialRace(rounds: .max, for: .seconds(3_600), make: { started.open() })
    }
    await started.passed()
    race.cancel()
    let report = await race.value
    #expect(report.interruption == .cancelled)
    #expect(!report.passed)
    #expect("\(report)".contains("The task that awaited the race was cancelled before its rounds were done."))
  }

  @Test func `an actor that never returns is named with its round, and ends the race`() async {
    let report = await stuckRace(.actorsStuck([2], round: 300)) { stuck in
      await trivialRace(rounds: 10_000, patience: Self.patience, second: { if $0 == 300 { stuck.wait() } })
    }
    #expect(report.interruption == .actorsStuck([2], round: 300))
    #expect(report.rounds < 300)
    #expect(!report.passed)
    #expect("\(report)".contains("Actor 2 didn't return in round 300."))
    #expect(report.whereabouts.first?.hasSuffix(" waits for the others") == true, "\(report)")
  }

  @Test func `actors that wait for each other are all named`() async {
    let report = await stuckRace(.actorsStuck([1, 2], round: 5)) { stuck in
      await trivialRace(
        rounds: 10_000,
        patience: Self.patience,
        first: { if $0 == 5 { stuck.wait() } },
        second: { if $0 == 5 { stuck.wait() } }
      )
    }
    #expect(report.interruption == .actorsStuck([1, 2], round: 5))
    #expect("\(report)".contains("Actors 1 and 2 didn't return in round 5."))
  }

  @Test func `a make that never returns is named, and what was seen before is told`() async {
    let report = await stuckRace(.makeStuck(round: 500)) { stuck in
      let made = Atomic(0)
      return await trivialRace(
        rounds: 10_000,
        patience: Self.patience,
        make: { if made.add(1, ordering: .relaxed).newValue == 500 { stuck.wait() } }
      )
    }
    #expect(report.interruption == .makeStuck(round: 500))
    #expect(report.rounds > 0)
    #expect(report.count(of: true) == report.rounds)
    #expect(!report.passed)
  }

  @Test func `an outcome that never returns is named`() async {
    let report = await stuckRace(.outcomeStuck(round: 200)) { stuck in
      await trivialRace(rounds: 10_000, patience: Self.patience, outcome: { if $0 == 200 { stuck.wait() } })
    }
    #expect(report.interruption == .outcomeStuck(round: 200))
    #expect("\(report)".contains("outcome didn't return in round 200."))
  }

  @Test func `after a race that got stuck there can be others`() async throws {
    _ = await stuckRace(.actorsStuck([1], round: 1)) { stuck in
      let report = await trivialRace(rounds: 10, patience: Self.patience, first: { _ in stuck.wait() })
      let other = await trivialRace(rounds: 1_000)
      #expect(other.passed)
      return report
    }
  }

  /// Runs a race in which calls get stuck at a gate, until it ends as it should.
  ///
  /// With so little patience an actor that merely gets no time from a busy machine counts as stuck as well, or before any
  /// other has come that far. A machine that does this each time isn't busy.
  private func stuckRace(
    _ interruption: RaceInterruption,
    _ race: (Gate) async -> RaceReport<Bool>
  ) async -> RaceReport<Bool> {
    var report: RaceReport<Bool>?
    for _ in 0..<50 where report?.interruption != interruption {
      let stuck = Gate("the end of the race", deadline: .seconds(3_600))
      report = await race(stuck)
      stuck.open()
    }
    // swift-format-ignore: NeverForceUnwrap
    return report!
  }

  /// A race whose subject is the number of its round.
  private func trivialRace(
    rounds: Int? = nil,
    for time: Duration? = nil,
    patience: Duration = .seconds(3_600),
    make: @escaping @Sendable () -> Void = {},
    first: @escaping @Sendable (Int) -> Void = { _ in },
    second: @escaping @Sendable (Int) -> Void = { _ in },
    outcome: @escaping @Sendable (Int) -> Void = { _ in }
  ) async -> RaceReport<Bool> {
    let round = Atomic(0)
    return await race(
      "trivial",
      .init(rounds: rounds, for: time, patience: patience, requires: .nothing),
      make: {
        make()
        return round.add(1, ordering: .relaxed).newValue
      },
      actors: { first($0) },
      { second($0) },
      outcome: { number, _, _ in
        outcome(number)
        return true
      },
      expect: [.acceptable(true)]
    )
  }
}

/// Sets the variable; for a process that has not read it yet.
private func setPatience(_ text: String) {
  // The text is copied.
  unsafe setenv("RACEFREEFUTURE_PATIENCE", text, 1)
}
