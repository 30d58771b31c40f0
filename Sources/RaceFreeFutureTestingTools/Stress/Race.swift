// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// Runs actors against each other, many times, and counts the outcomes of the rounds.
///
/// Each round has a fresh subject. The actors start on it together, each on a thread of its own, and when all have
/// returned, `outcome` is called with the subject and their results.
///
/// ```swift
/// await race(
///   "complete against cancel",
///   make: { Future() },
///   actors: { $0.tryComplete() }, { $0.tryCancel() },
///   outcome: { future, completed, cancelled in "\(completed) \(cancelled)" },
///   expect: [
///     .acceptable("true false", "completed first"),
///     .acceptable("false true", "cancelled first"),
///     .forbidden("true true", "both won"),
///   ]
/// )
/// ```
///
/// An outcome that isn't acceptable is recorded as an issue of the test that calls this; see ``TestReport``. So is a race
/// that showed too little, as a warning unless its options say otherwise; see ``RequiredExtent``.
///
/// Actors that are `async` are passed as `tasks:` instead of `actors:`. Of many identical ones the number and the code are
/// passed, as `actors: 4, each: { … }`. Different ones may be two, three or four: overloads, because the compiler takes no
/// closures for a parameter pack of an overloaded function.
///
/// ## Threads
///
/// The caller is suspended, never blocked. Each actor has a thread that it keeps through all rounds, one to a core if
/// there are enough of them. `make` and `outcome` run on a further thread, in batches, while the actors sleep; it also
/// releases the subjects. Calls of `make` and `outcome` never overlap.
///
/// Races that are started at the same time run one after the other, because they would compete for the cores.
///
/// If the process crashes meanwhile, because an actor traps or because the system detects a deadlock of two locks, the
/// name of the race, the rounds in which the actors were, and the seed are written to standard error first.
///
/// The actors are kept together in varying ways: they wait for each other before every round, or after every few rounds,
/// or run freely through many, with pauses of a few nanoseconds, on changing cores.
///
/// ## Limits
///
/// An outcome that didn't occur may still be possible: stress shows the presence of a bug, never its absence. An
/// outcome that occurs once in *n* rounds is seen with a probability of 95 % in 3 *n* rounds. The seed repeats the
/// pauses and the cores, but not the timing of the hardware.
///
/// - Parameters:
///   - name: The name of the race in the report.
///   - options: The number of rounds, the seed, and what is required of the race.
///   - make: Makes a subject.
///   - first: An actor: the code that uses the subject on one thread. An error that it throws fails the race.
///   - second: Another actor.
///   - outcome: Returns the outcome: called with the subject and the actors' results when all actors have returned. For
///     several values there is ``Outcomes``.
///   - expected: The outcomes that may occur and those that must not. Outcomes that aren't listed must not.
/// - Returns: The report.
@discardableResult
public func race<Subject: Sendable, First: Sendable, Second: Sendable, Outcome>(
  _ name: String,
  _ options: RaceOptions = RaceOptions(),
  make: @escaping @Sendable () -> Subject,
  actors first: @escaping @Sendable (Subject) throws -> First,
  _ second: @escaping @Sendable (Subject) throws -> Second,
  outcome: @escaping @Sendable (Subject, First, Second) -> Outcome,
  expect expected: [ExpectedOutcome<Outcome>],
  function: String = #function,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: Int = #line,
  column: Int = #column
) async -> RaceReport<Outcome> {
  await runRace(
    RaceSettings(
      name: name,
      options: options,
      function: function,
      site: CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    ),
    make: make,
    .thread(first),
    .thread(second),
    outcome: outcome,
    expect: expected
  )
}

/// Runs three actors against each other, many times, and counts the outcomes of the rounds.
///
/// The same race as that of two, with one function for each.
@discardableResult
public func race<Subject: Sendable, First: Sendable, Second: Sendable, Third: Sendable, Outcome>(
  _ name: String,
  _ options: RaceOptions = RaceOptions(),
  make: @escaping @Sendable () -> Subject,
  actors first: @escaping @Sendable (Subject) throws -> First,
  _ second: @escaping @Sendable (Subject) throws -> Second,
  _ third: @escaping @Sendable (Subject) throws -> Third,
  outcome: @escaping @Sendable (Subject, First, Second, Third) -> Outcome,
  expect expected: [ExpectedOutcome<Outcome>],
  function: String = #function,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: Int = #line,
  column: Int = #column
) async -> RaceReport<Outcome> {
  await runRace(
    RaceSettings(
      name: name,
      options: options,
      function: function,
      site: CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    ),
    make: make,
    .thread(first),
    .thread(second),
    .thread(third),
    outcome: outcome,
    expect: expected
  )
}

/// Runs four actors against each other, many times, and counts the outcomes of the rounds.
///
/// The same race as that of two, with one function for each.
@discardableResult
public func race<Subject: Sendable, First: Sendable, Second: Sendable, Third: Sendable, Fourth: Sendable, Outcome>(
  _ name: String,
  _ options: RaceOptions = RaceOptions(),
  make: @escaping @Sendable () -> Subject,
  actors first: @escaping @Sendable (Subject) throws -> First,
  _ second: @escaping @Sendable (Subject) throws -> Second,
  _ third: @escaping @Sendable (Subject) throws -> Third,
  _ fourth: @escaping @Sendable (Subject) throws -> Fourth,
  outcome: @escaping @Sendable (Subject, First, Second, Third, Fourth) -> Outcome,
  expect expected: [ExpectedOutcome<Outcome>],
  function: String = #function,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: Int = #line,
  column: Int = #column
) async -> RaceReport<Outcome> {
  await runRace(
    RaceSettings(
      name: name,
      options: options,
      function: function,
      site: CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    ),
    make: make,
    .thread(first),
    .thread(second),
    .thread(third),
    .thread(fourth),
    outcome: outcome,
    expect: expected
  )
}

/// Runs identical actors against each other, many times, and counts the outcomes of the rounds.
///
/// - Parameters:
///   - name: The name of the race in the report.
///   - options: The number of rounds, the seed, and what is required of the race.
///   - make: Makes a subject.
///   - count: The number of actors, at least two.
///   - actor: Called by each with the subject and its number, from 0.
///   - outcome: Returns the outcome: called with the subject and the actors' results, in their order.
///   - expected: The outcomes that may occur and those that must not.
/// - Returns: The report.
@discardableResult
public func race<Subject: Sendable, Answer: Sendable, Outcome>(
  _ name: String,
  _ options: RaceOptions = RaceOptions(),
  make: @escaping @Sendable () -> Subject,
  actors count: Int,
  each actor: @escaping @Sendable (Subject, Int) throws -> Answer,
  outcome: @escaping @Sendable (Subject, [Answer]) -> Outcome,
  expect expected: [ExpectedOutcome<Outcome>],
  function: String = #function,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: Int = #line,
  column: Int = #column
) async -> RaceReport<Outcome> {
  await runRace(
    RaceSettings(
      name: name,
      options: options,
      function: function,
      site: CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    ),
    make: make,
    count: count,
    { number in .thread { try actor($0, number) } },
    outcome: outcome,
    expect: expected
  )
}
