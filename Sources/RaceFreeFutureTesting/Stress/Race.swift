// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// Runs actors against each other, many times, and counts the outcomes of the rounds.
///
/// Each round has a fresh subject. The actors start on it together, each on a thread of its own, and when all have
/// returned, `outcome` is called with the subject and their results.
///
/// ```swift
/// try await race(
///   "complete against cancel",
///   make: { Future() },
///   actors: { $0.tryComplete() }, { $0.tryCancel() },
///   outcome: { future, completed, cancelled in "\(completed) \(cancelled)" },
///   expect: [
///     .acceptable("true false", "completed first"),
///     .acceptable("false true", "cancelled first"),
///     .forbidden("true true", "both won"),
///   ]
/// ).verify()
/// ```
///
/// For actors that are `async` there is `raceTasks`, for many identical actors `raceMany`, and for both
/// `raceManyTasks`.
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
///   - rounds: The maximum number of rounds. If neither this nor a time is given, it is 100,000, or as many as are done
///     in five seconds: a busy machine may need a minute for all. The report has their number. A race without rounds
///     shows nothing, and its report says so and fails.
///   - time: The maximum time, to within a batch of rounds, some hundredths of a second. The limit that is reached
///     first ends the race. A time that isn't zero is enough for some rounds, even on a busy machine.
///   - seed: The seed of the random numbers. By default the environment variable `RACEFREEFUTURE_SEED`, or a new one if
///     it isn't set. The report prints it.
///   - patience: The time that a call of your code may take before the race is given up, with a report that names the
///     call and fails; at least a millisecond. The thread of that call is left behind. It takes up to twice that time.
///     The environment variable `RACEFREEFUTURE_PATIENCE` multiplies it, for slow machines.
///   - endsAtFirstFailure: True to end the race with the batch of rounds in which it has failed, some tens to two
///     thousand of them. Pass false to measure the frequency of the failure.
///   - requiresAllAcceptable: True to fail the race also if an outcome that is listed as acceptable never occurred.
///     Such a test depends on luck: give it many more rounds than it needs.
///   - make: Makes a subject.
///   - first: An actor: the code that uses the subject on one thread. An error that it throws fails the race.
///   - second: Another actor.
///   - others: More actors.
///   - outcome: Returns the outcome: called with the subject and the actors' results when all actors have returned. For
///     several values there is ``Outcomes``.
///   - expected: The outcomes that may occur and those that must not. Outcomes that aren't listed must not.
///   - function: Leave it out: the function in which the race is.
/// - Returns: The report. Call ``TestReport/verify()`` to make it fail a test.
public func race<Subject: Sendable, First: Sendable, Second: Sendable, each Other: Sendable, Outcome>(
  _ name: String,
  rounds: Int? = nil,
  for time: Duration? = nil,
  seed: UInt64? = nil,
  patience: Duration = .seconds(10),
  endsAtFirstFailure: Bool = true,
  requiresAllAcceptable: Bool = false,
  make: @escaping @Sendable () -> Subject,
  actors first: @escaping @Sendable (Subject) throws -> First,
  _ second: @escaping @Sendable (Subject) throws -> Second,
  _ others: repeat @escaping @Sendable (Subject) throws -> each Other,
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
    .thread(first),
    .thread(second),
    repeat .thread(each others),
    outcome: outcome,
    expect: expected
  )
}
