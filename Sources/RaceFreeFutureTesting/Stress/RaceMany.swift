// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// Runs identical actors against each other, many times, and counts how each of the rounds came out.
///
/// As ``race(_:rounds:for:seed:patience:endsAtFirstFailure:requiresAllAcceptable:make:actors:_:_:outcome:expect:function:)``,
/// for a number of actors that do the same.
///
/// - Parameters:
///   - name: What the report calls the race.
///   - rounds: How many rounds at most.
///   - time: How long at most.
///   - seed: Where the random numbers begin.
///   - patience: How long a call of your code may take before the race is given up.
///   - endsAtFirstFailure: Whether the race ends with the batch of rounds in which it has failed.
///   - requiresAllAcceptable: Whether the race fails also if an acceptable outcome never came up.
///   - make: Makes a subject.
///   - count: How many actors, at least two.
///   - actor: What each does to the subject; the number is its place, from 0.
///   - outcome: What came out: called with the subject and what the actors returned, in their order.
///   - expected: What may come up and what must not.
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
  precondition(count > 1, "a race needs two actors")
  let places = RaceRun<Outcome>.mostPlaces
  let subjects = Column<Subject>(capacity: places)
  let answers = (0..<count).map { _ in Column<Result<Answer, any Error>>(capacity: places) }
  return await runRace(
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
    make: { subjects.put(make(), at: $0) },
    actors: answers.enumerated().map { index, column in
      acting({ try actor($0, index) }, on: subjects, answering: column)
    },
    outcome: { place in
      let subject = subjects.take(at: place)
      let results = answers.map { $0.take(at: place) }
      return RoundEnd(results.map(\.thrown)) { outcome(subject, try results.map { try $0.get() }) }
    },
    expect: expected
  )
}

/// Runs identical tasks against each other, many times, and counts how each of the rounds came out.
///
/// As `raceMany`, for what is `async`; what runs where is told at `raceTasks`.
///
/// - Parameters:
///   - name: What the report calls the race.
///   - rounds: How many rounds at most.
///   - time: How long at most.
///   - seed: Where the random numbers begin.
///   - patience: How long a call of your code may take before the race is given up.
///   - endsAtFirstFailure: Whether the race ends with the batch of rounds in which it has failed.
///   - requiresAllAcceptable: Whether the race fails also if an acceptable outcome never came up.
///   - make: Makes a subject.
///   - count: How many tasks, at least two.
///   - actor: What each does to the subject; the number is its place, from 0.
///   - outcome: What came out: called with the subject and what the tasks returned, in their order.
///   - expected: What may come up and what must not.
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
  precondition(count > 1, "a race needs two actors")
  let places = RaceRun<Outcome>.mostPlaces
  let subjects = Column<Subject>(capacity: places)
  let answers = (0..<count).map { _ in Column<Result<Answer, any Error>>(capacity: places) }
  return await runRace(
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
    make: { subjects.put(make(), at: $0) },
    actors: answers.enumerated().map { index, column in
      actingAsTask({ try await actor($0, index) }, on: subjects, answering: column)
    },
    outcome: { place in
      let subject = subjects.take(at: place)
      let results = answers.map { $0.take(at: place) }
      return RoundEnd(results.map(\.thrown)) { outcome(subject, try results.map { try $0.get() }) }
    },
    expect: expected
  )
}
