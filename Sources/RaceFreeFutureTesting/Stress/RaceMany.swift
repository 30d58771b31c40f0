// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// Runs identical actors against each other, many times, and counts the outcomes of the rounds.
///
/// As
/// ``race(_:rounds:for:seed:patience:endsAtFirstFailure:requiresAllAcceptable:make:actors:_:_:outcome:expect:function:)``,
/// for a number of identical actors.
///
/// - Parameters:
///   - name: The name of the race in the report.
///   - rounds: The maximum number of rounds.
///   - time: The maximum time.
///   - seed: The seed of the random numbers.
///   - patience: The time that a call of your code may take before the race is given up.
///   - endsAtFirstFailure: True to end the race with the batch of rounds in which it has failed.
///   - requiresAllAcceptable: True to fail the race also if an acceptable outcome never occurred.
///   - make: Makes a subject.
///   - count: The number of actors, at least two.
///   - actor: Called by each with the subject and its number, from 0.
///   - outcome: Returns the outcome: called with the subject and the actors' results, in their order.
///   - expected: The outcomes that may occur and those that must not.
///   - function: Leave it out: the function in which the race is.
/// - Returns: The report.
public func raceMany<Subject: Sendable, Answer: Sendable, Outcome>(
  _ name: String,
  rounds: Int? = nil,
  for time: Duration? = nil,
  seed: UInt64? = nil,
  patience: Duration = .seconds(10),
  endsAtFirstFailure: Bool = true,
  requiresAllAcceptable: Bool = false,
  make: @escaping @Sendable () -> Subject,
  actors count: Int,
  each actor: @escaping @Sendable (Subject, Int) throws -> Answer,
  outcome: @escaping @Sendable (Subject, [Answer]) -> Outcome,
  expect expected: [ExpectedOutcome<Outcome>],
  function: String = #function
) async -> RaceReport<Outcome> {
  await runRace(
    RaceSettings(
      name: name,
      rounds: rounds,
      time: time,
      seed: seed,
      patience: patience,
      endsAtFirstFailure: endsAtFirstFailure,
      requiresAllAcceptable: requiresAllAcceptable,
      function: function
    ),
    make: make,
    count: count,
    { number in .thread { try actor($0, number) } },
    outcome: outcome,
    expect: expected
  )
}

/// Runs identical tasks against each other, many times, and counts the outcomes of the rounds.
///
/// As `raceMany`, for `async` code; for its threads see `raceTasks`.
///
/// - Parameters:
///   - name: The name of the race in the report.
///   - rounds: The maximum number of rounds.
///   - time: The maximum time.
///   - seed: The seed of the random numbers.
///   - patience: The time that a call of your code may take before the race is given up.
///   - endsAtFirstFailure: True to end the race with the batch of rounds in which it has failed.
///   - requiresAllAcceptable: True to fail the race also if an acceptable outcome never occurred.
///   - make: Makes a subject.
///   - count: The number of tasks, at least two.
///   - actor: Called by each with the subject and its number, from 0.
///   - outcome: Returns the outcome: called with the subject and the tasks' results, in their order.
///   - expected: The outcomes that may occur and those that must not.
///   - function: Leave it out: the function in which the race is.
/// - Returns: The report.
public func raceManyTasks<Subject: Sendable, Answer: Sendable, Outcome>(
  _ name: String,
  rounds: Int? = nil,
  for time: Duration? = nil,
  seed: UInt64? = nil,
  patience: Duration = .seconds(10),
  endsAtFirstFailure: Bool = true,
  requiresAllAcceptable: Bool = false,
  make: @escaping @Sendable () -> Subject,
  tasks count: Int,
  each actor: @escaping @Sendable (Subject, Int) async throws -> Answer,
  outcome: @escaping @Sendable (Subject, [Answer]) -> Outcome,
  expect expected: [ExpectedOutcome<Outcome>],
  function: String = #function
) async -> RaceReport<Outcome> {
  await runRace(
    RaceSettings(
      name: name,
      rounds: rounds,
      time: time,
      seed: seed,
      patience: patience,
      endsAtFirstFailure: endsAtFirstFailure,
      requiresAllAcceptable: requiresAllAcceptable,
      function: function
    ),
    make: make,
    count: count,
    { number in .task { try await actor($0, number) } },
    outcome: outcome,
    expect: expected
  )
}
