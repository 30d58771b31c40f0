// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// Runs tasks against each other, many times, and counts the outcomes of the rounds.
///
/// As the race of `actors:`, for `async` code. Each task runs on a thread of its own, which is its preferred executor: so
/// do its children and the actors that it calls, unless they have executors of their own. Code that is isolated to the
/// main actor, and unstructured tasks, run where they always do. A task that is never resumed counts as stuck.
///
/// The share of rounds that overlapped counts tasks which ran at the same time, suspended or not.
///
/// - Parameters:
///   - name: The name of the race in the report.
///   - options: The number of rounds, the seed, and what is required of the race.
///   - make: Makes a subject.
///   - first: A task: the code that uses the subject.
///   - second: Another task.
///   - outcome: Returns the outcome: called when all tasks have returned.
///   - expected: The outcomes that may occur and those that must not.
/// - Returns: The report.
@discardableResult
public func race<Subject: Sendable, First: Sendable, Second: Sendable, Outcome>(
  _ name: String,
  _ options: RaceOptions = RaceOptions(),
  make: @escaping @Sendable () -> Subject,
  tasks first: @escaping @Sendable (Subject) async throws -> First,
  _ second: @escaping @Sendable (Subject) async throws -> Second,
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
    .task(first),
    .task(second),
    outcome: outcome,
    expect: expected
  )
}

/// Runs three tasks against each other, many times, and counts the outcomes of the rounds.
///
/// The same race as that of two, with one function for each.
@discardableResult
public func race<Subject: Sendable, First: Sendable, Second: Sendable, Third: Sendable, Outcome>(
  _ name: String,
  _ options: RaceOptions = RaceOptions(),
  make: @escaping @Sendable () -> Subject,
  tasks first: @escaping @Sendable (Subject) async throws -> First,
  _ second: @escaping @Sendable (Subject) async throws -> Second,
  _ third: @escaping @Sendable (Subject) async throws -> Third,
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
    .task(first),
    .task(second),
    .task(third),
    outcome: outcome,
    expect: expected
  )
}

/// Runs four tasks against each other, many times, and counts the outcomes of the rounds.
///
/// The same race as that of two, with one function for each.
@discardableResult
public func race<Subject: Sendable, First: Sendable, Second: Sendable, Third: Sendable, Fourth: Sendable, Outcome>(
  _ name: String,
  _ options: RaceOptions = RaceOptions(),
  make: @escaping @Sendable () -> Subject,
  tasks first: @escaping @Sendable (Subject) async throws -> First,
  _ second: @escaping @Sendable (Subject) async throws -> Second,
  _ third: @escaping @Sendable (Subject) async throws -> Third,
  _ fourth: @escaping @Sendable (Subject) async throws -> Fourth,
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
    .task(first),
    .task(second),
    .task(third),
    .task(fourth),
    outcome: outcome,
    expect: expected
  )
}

/// Runs identical tasks against each other, many times, and counts the outcomes of the rounds.
///
/// - Parameters:
///   - name: The name of the race in the report.
///   - options: The number of rounds, the seed, and what is required of the race.
///   - make: Makes a subject.
///   - count: The number of tasks, at least two.
///   - actor: Called by each with the subject and its number, from 0.
///   - outcome: Returns the outcome: called with the subject and the tasks' results, in their order.
///   - expected: The outcomes that may occur and those that must not.
/// - Returns: The report.
@discardableResult
public func race<Subject: Sendable, Answer: Sendable, Outcome>(
  _ name: String,
  _ options: RaceOptions = RaceOptions(),
  make: @escaping @Sendable () -> Subject,
  tasks count: Int,
  each actor: @escaping @Sendable (Subject, Int) async throws -> Answer,
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
    { number in .task { try await actor($0, number) } },
    outcome: outcome,
    expect: expected
  )
}
