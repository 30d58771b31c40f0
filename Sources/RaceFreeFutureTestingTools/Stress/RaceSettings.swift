// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The parameters that all forms of `race` have in common.
struct RaceSettings {
  let name: String
  let options: RaceOptions
  let function: String
  let site: CallSite
}

/// Runs a race whose types are hidden in columns.
func runRace<Outcome>(
  _ settings: RaceSettings,
  make: @escaping @Sendable (Int) -> Void,
  actors: [RaceActor],
  outcome: @escaping @Sendable (Int) -> RoundEnd<Outcome>,
  expect expected: [ExpectedOutcome<Outcome>]
) async -> RaceReport<Outcome> {
  let title = "the race \"\(settings.name)\""
  let kept = KeptFailure(settings.name, settings.function)
  let options = settings.options
  let seed = chosenSeed(options.seed, kept)
  let patience = max(options.patience, .milliseconds(1)).patiently
  let endsAtFirstFailure = options.endsAtFirstFailure
  let isFailure = { @Sendable outcome in
    (expected.first { $0.fits(outcome) }?.verdict ?? .unlisted).isFailure
  }
  let run = RaceRun(
    RaceRun<Outcome>.Course(
      title: title,
      again: commandToRepeat(seed: seed, function: settings.function),
      file: kept?.path,
      rounds: options.rounds,
      time: options.time,
      patience: nanoseconds(patience),
      seed: seed,
      make: make,
      actors: actors,
      outcome: outcome,
      isLast: { outcome in
        guard endsAtFirstFailure else { return false }
        return if case .outcome(let value) = outcome { isFailure(value) } else { true }
      }
    )
  )
  let (record, duration) = await Turns.take {
    let start = ContinuousClock.now
    return (await run.run(), ContinuousClock.now - start)
  }
  for actor in actors { actor.thread?.close() }

  let pairs = record.rounds * actors.count * (actors.count - 1) / 2
  let (observed, unseen) = record.tally.judged(by: expected)
  let report = RaceReport(
    name: settings.name,
    rounds: record.rounds,
    plannedRounds: options.rounds,
    isCutShort: record.isCutShort,
    duration: duration,
    overlap: pairs == 0 ? 0 : max(0, 1 - Double(record.separatePairs) / Double(pairs)),
    outcomes: observed,
    unseen: unseen,
    errors: record.thrown.entries.map {
      ActorError(actor: $0.value.actor, error: $0.value.text, count: $0.count, firstRound: $0.firstRound)
    },
    interruption: record.interruption,
    whereabouts: record.whereabouts,
    seed: seed,
    actors: actors.count,
    cores: Cores.available.count,
    requiresAllAcceptable: options.requiresAllAcceptable,
    requires: options.requires,
    patience: patience,
    function: settings.function
  )
  if record.interruption != .cancelled { kept?.note(report) }
  report.record(inconclusiveIsError: options.requires.isError, at: settings.site)
  return report
}

/// Returns a time that is not negative, in nanoseconds; clamped if it is too long.
func nanoseconds(_ time: Duration) -> UInt64 {
  let (seconds, attoseconds) = time.components
  return seconds < 1_000_000_000 ? UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000) : .max
}
