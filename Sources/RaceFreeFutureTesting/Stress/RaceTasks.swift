// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// Runs tasks against each other, many times, and counts the outcomes of the rounds.
///
/// As
/// ``race(_:rounds:for:seed:patience:endsAtFirstFailure:requiresAllAcceptable:make:actors:_:_:outcome:expect:function:)``,
/// for `async` code. Each task runs on a thread of its own, which is its preferred executor: so do its children and the
/// actors that it calls, unless they have executors of their own. Code that is isolated to the main actor, and
/// unstructured tasks, run where they always do. A task that is never resumed counts as stuck.
///
/// The share of rounds that overlapped counts tasks which ran at the same time, suspended or not.
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
///   - first: A task: the code that uses the subject.
///   - second: Another task.
///   - others: More tasks.
///   - outcome: Returns the outcome: called when all actors have returned.
///   - expected: The outcomes that may occur and those that must not.
///   - function: Leave it out: the function in which the race is.
/// - Returns: The report.
public func raceTasks<Subject: Sendable, First: Sendable, Second: Sendable, each Other: Sendable, Outcome>(
  _ name: String,
  rounds: Int? = nil,
  for time: Duration? = nil,
  seed: UInt64? = nil,
  patience: Duration = .seconds(10),
  endsAtFirstFailure: Bool = true,
  requiresAllAcceptable: Bool = false,
  make: @escaping @Sendable () -> Subject,
  tasks first: @escaping @Sendable (Subject) async throws -> First,
  _ second: @escaping @Sendable (Subject) async throws -> Second,
  _ others: repeat @escaping @Sendable (Subject) async throws -> each Other,
  outcome: @escaping @Sendable (Subject, First, Second, repeat each Other) -> Outcome,
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
    .task(first),
    .task(second),
    repeat .task(each others),
    outcome: outcome,
    expect: expected
  )
}
