// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import RaceFreeFutureTesting
import Synchronization
import TestSupport
import Testing

/// Actors that throw or are `async`, many that do the same, and outcomes of several values: each with a fault that is
/// found, and without it.
@Suite struct RaceFormsTests {
  private static let bound = 10_000_000
  private static let rounds = iterations(2_000)

  // MARK: Throwing

  @Test(.withoutRecording) func `an actor that throws fails the race, is named, and outcome isn't asked`() async {
    let number = Atomic(0)
    let report = await race(
      "throws",
      .init(rounds: 10_000),
      make: { number.add(1, ordering: .relaxed).newValue },
      actors: { $0 },
      { round in
        if round >= 100 { throw Reason("no \(round % 2)") }
        return round
      },
      { _ in },
      outcome: { round, first, second, _ in round < 100 && first == round && second == round },
      expect: [.acceptable(true)]
    )
    #expect(!report.passed)
    #expect(report.count(of: true) == 99 && report.outcomes.count == 1)
    #expect(report.errors.map(\.actor) == [2, 2])
    #expect(report.errors.map(\.firstRound) == [100, 101])
    #expect(report.errors.map(\.count).reduce(0, +) == report.rounds - 99)
    #expect("\(report)".contains("Actor 2 threw \"\(Reason("no 0"))\""), "\(report)")
    // It ends with the batch.
    #expect(report.rounds < 10_000)
  }

  @Test func `a thrown error that is returned is an outcome like others`() async throws {
    await race(
      "fails",
      .init(rounds: Self.rounds, requires: .nothing),
      make: { 0 },
      actors: { _ in Result { () throws(Reason) in throw Reason("no") } },
      { $0 },
      outcome: { _, result, _ in reason(result.error)?.text },
      expect: [.acceptable("no")]
    )
  }

  // MARK: Tasks

  @Test(.withoutRecording) func `a check across a suspension is found, in actors that are async`() async {
    let report = await race(
      "two withdrawals",
      .init(rounds: Self.bound),
      make: { Account(100) },
      tasks: { await $0.naiveWithdraw(100) },
      { await $0.naiveWithdraw(100) },
      outcome: { _, first, second in Outcomes(first, second) },
      expect: [.acceptable((true, false)), .acceptable((false, true)), .forbidden((true, true), "both got it")]
    )
    #expect(report.count(of: (true, true)) > 0, "\(report)")
    #expect(report.rounds < Self.bound)
    #expect("\(report)".contains("\"(true, true)\" is forbidden (both got it)"), "\(report)")
  }

  @Test func `an actor that checks and acts at once passes`() async throws {
    await race(
      "two withdrawals",
      .init(rounds: Self.rounds),
      make: { Account(100) },
      tasks: { await $0.withdraw(100) },
      { await $0.withdraw(100) },
      { await $0.balance },
      outcome: { _, first, second, balance in first != second && [0, 100].contains(balance) },
      expect: [.acceptable(true)]
    )
  }

  @Test(.withoutRecording) func `children, other executors and thrown errors of a task all come back to the race`()
    async
  {
    let number = Atomic(0)
    let report = await race(
      "children",
      .init(rounds: 200, endsAtFirstFailure: false),
      make: { number.add(1, ordering: .relaxed).newValue },
      tasks: { (round: Int) async throws -> Int in
        async let one = round
        async let two = Task.detached { round }.value
        await Task.yield()
        return await MainActor.run { 1 } + one + two
      },
      { (round: Int) async throws -> Int in
        await Task.yield()
        if round == 150 { throw Reason("no") }
        return round
      },
      outcome: { round, first, second in first == 2 * round + 1 && second == round },
      expect: [.acceptable(true)]
    )
    #expect(report.rounds == 200 && report.count(of: true) == 199, "\(report)")
    #expect(report.errors.map(\.actor) == [2] && report.errors.map(\.count) == [1])
    #expect(report.errors.map(\.firstRound) == [150])
  }

  @Test(.withoutRecording) func `a task that nobody resumes is stuck, and said to be suspended`() async {
    var report: RaceReport<Bool>?
    // A task that merely gets no time from a busy machine hasn't suspended yet: then once more.
    for _ in 0..<50 where report?.whereabouts.first?.hasSuffix(" waits for its task to be resumed") != true {
      let end = Future(label: "end")
      report = await race(
        "parked",
        .init(rounds: 10, patience: .milliseconds(100)),
        make: { 0 },
        tasks: { _ in _ = await end.outcome },
        { _ in },
        outcome: { _, _, _ in true },
        expect: [.acceptable(true)]
      )
      // So that its thread can end.
      end.complete()
    }
    guard let report, case .actorsStuck(let actors, round: 1) = report.interruption else {
      Issue.record("\(String(describing: report))")
      return
    }
    #expect(actors.contains(1))
    #expect(report.whereabouts.first?.hasSuffix(" waits for its task to be resumed") == true, "\(report)")
  }

  // MARK: Identical

  @Test(.withoutRecording, arguments: 2...4) func `a lost increment of many is found`(actors: Int) async {
    let report = await race(
      "increments",
      .init(rounds: Self.bound),
      make: { HandlerList() },
      actors: actors,
      each: { counter, _ in counter.naiveAdd() },
      outcome: { counter, answers in answers.count - counter.handlers },
      expect: [.acceptable(0), .forbidden("lost", where: { $0 > 0 })]
    )
    #expect(report.outcomes.contains { $0.verdict == .forbidden }, "\(report)")
    #expect(report.rounds < Self.bound)
  }

  @Test func `each of many has a number, and answers in its place`() async throws {
    await race(
      "numbers",
      .init(rounds: Self.rounds),
      make: { HandlerList() },
      actors: 3,
      each: { list, number in
        list.add()
        return number
      },
      outcome: { list, numbers in Outcomes(list.handlers, numbers) },
      expect: [.acceptable((3, [0, 1, 2]))]
    )
    await race(
      "numbers of tasks",
      .init(rounds: Self.rounds),
      make: { Account(3) },
      tasks: 3,
      each: { account, number in
        await Task.yield()
        return await account.withdraw(1) ? number : -1
      },
      outcome: { _, numbers in numbers },
      expect: [.acceptable([0, 1, 2])]
    )
    await race(
      "tuples of tasks",
      .init(rounds: Self.rounds),
      make: { 7 },
      tasks: 2,
      each: { $0 + $1 },
      outcome: { Outcomes($0, $1[0], $1[1]) },
      expect: [.acceptable((7, 7, 8))]
    )
  }

  // MARK: Tuples

  @Test(.withoutRecording)
  func `an outcome of several values has their names in the report, and verdicts of all kinds`() async {
    let report = await race(
      "both won",
      .init(rounds: Self.bound),
      make: { OneShot() },
      actors: { $0.naiveEnd(1) },
      { $0.naiveEnd(2) },
      { $0.value },
      outcome: { cell, first, second, seen in Outcomes(first, second, seen == 0 || cell.value > 0) },
      expect: [
        .acceptable((true, false, true), "first"), .interesting((false, true, true), "second"),
        .forbidden((true, true, true), "both"),
      ]
    )
    #expect(report.count(of: (true, true, true)) > 0, "\(report)")
    #expect(report.outcomes.last?.value.values.0 == true)
    #expect("\(report)".contains("(true, true, true)"))
  }

  @Test func `tuples are equal if all their values are`() {
    #expect(Outcomes(1, "a") == Outcomes(1, "a"))
    #expect(Outcomes(1, "a") != Outcomes(1, "b"))
    #expect(Outcomes(1, "a") != Outcomes(2, "a"))
    #expect(Set([Outcomes(1, "a"), Outcomes(1, "a"), Outcomes(1, "b")]).count == 2)
    #expect("\(Outcomes(1, "a"))" == "(1, a)")
    #expect("\(Outcomes(Int?.none, Optional(1)))" == "(nil, 1)")
  }

  // MARK: The end

  @Test(.withoutRecording) func `a race ends soon after its first failure, unless it is told otherwise`() async {
    func report(_ endsAtFirstFailure: Bool?) async -> RaceReport<Int> {
      let number = Atomic(0)
      let make: @Sendable () -> Int = { number.add(1, ordering: .relaxed).newValue }
      let expect: [ExpectedOutcome<Int>] = [.acceptable(0), .forbidden(1)]
      if let endsAtFirstFailure {
        return await race(
          "fails",
          .init(rounds: 20_000, endsAtFirstFailure: endsAtFirstFailure),
          make: make,
          actors: { $0 },
          { $0 },
          outcome: { round, _, _ in round % 1_000 == 999 ? 1 : 0 },
          expect: expect
        )
      }
      return await race(
        "fails",
        .init(rounds: 20_000),
        make: make,
        actors: { $0 },
        { $0 },
        outcome: { round, _, _ in round % 1_000 == 999 ? 1 : 0 },
        expect: expect
      )
    }
    let short = await report(nil)
    #expect(!short.passed && short.rounds >= 999 && short.rounds < 999 + 2_048, "\(short)")
    let long = await report(false)
    #expect(!long.passed && long.rounds == 20_000 && long.count(of: 1) == 20, "\(long)")
  }
}

/// An account that is an actor.
private actor Account {
  private(set) var balance: Int

  init(_ balance: Int) { self.balance = balance }

  /// Looks, lets others in, then takes.
  func naiveWithdraw(_ amount: Int) async -> Bool {
    guard balance >= amount else { return false }
    await Task.yield()
    balance -= amount
    return true
  }

  func withdraw(_ amount: Int) -> Bool {
    guard balance >= amount else { return false }
    balance -= amount
    return true
  }
}
