// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// What a race brought to light: how often each outcome came up.
///
/// Its description is a table with the verdict above and, in the last line, how to run the race again.
public struct RaceReport<Outcome: Hashable & Sendable>: TestReport {
  /// What the race is called.
  public let name: String
  /// How many rounds were run to their end.
  public let rounds: Int
  /// How many were to be run; nil if only a time was given.
  public let plannedRounds: Int?
  /// Whether the time was up before the rounds were done.
  public let isCutShort: Bool
  /// How long it took.
  public let duration: Duration
  /// In which part of the rounds the actors may have been under way at the same time, from 0 to 1; with more than two
  /// actors, the part of all pairs of calls.
  ///
  /// It is 1 less the part in which an actor, when it began, saw that the other had returned already. Looking more closely
  /// would keep them apart. So it is an upper bound, and near the truth for actors that take more than the tenth of a
  /// microsecond that a core needs to see what another one wrote. A race whose actors don't overlap shows little; one of
  /// actors that wait for each other, or of tasks that are suspended, overlaps without acting at the same time. The
  /// report warns where the number means nothing: with few rounds, and with fewer cores than actors.
  public let overlap: Double
  /// What came up: in the order of the list of expected outcomes, then the rest, the most frequent first.
  public let outcomes: [ObservedOutcome<Outcome>]
  /// What was expected and never came up: the stress was too weak, or it can't.
  ///
  /// Without forbidden outcomes, which aren't missed.
  public let unseen: [ExpectedOutcome<Outcome>]
  /// What actors threw; each fails the race.
  public let errors: [ActorError]
  /// Why the race ended before its rounds were done; nil if they were.
  public let interruption: RaceInterruption?
  /// What the threads of actors that are stuck were doing when the race was given up: a line for each.
  ///
  /// In words that are made of what the system tells, which is something on Linux only.
  public let whereabouts: [String]
  /// What the random numbers of the race began with.
  public let seed: UInt64

  /// How many actors there were.
  let actors: Int
  /// How many cores they had.
  let cores: Int
  let requiresAllAcceptable: Bool
  /// How long a call might take.
  let patience: Duration
  /// The function that the race is in.
  let function: String

  /// Whether nothing came up that is forbidden or not listed, no actor threw, no call got stuck, and at least one round
  /// was run; and, if that was required, whether each acceptable outcome came up.
  public var passed: Bool {
    interruption == nil && rounds > 0 && errors.isEmpty && !outcomes.contains { $0.verdict.isFailure }
      && missing.isEmpty
  }

  /// In how many rounds an outcome came up.
  public func count(of outcome: Outcome) -> Int { outcomes.first { $0.value == outcome }?.count ?? 0 }

  /// What was required to come up and didn't.
  var missing: [ExpectedOutcome<Outcome>] { requiresAllAcceptable ? unseen.filter { $0.verdict == .acceptable } : [] }
}
