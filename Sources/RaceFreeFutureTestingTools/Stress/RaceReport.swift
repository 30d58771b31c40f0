// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The results of a race: the frequency of each outcome.
///
/// Its description is a table with the verdict above and, in the last line, the way to run the race again.
public struct RaceReport<Outcome: Hashable & Sendable>: TestReport {
  /// The name of the race.
  public let name: String
  /// The number of rounds that were completed.
  public let rounds: Int
  /// The number of rounds that were to be run.
  public let plannedRounds: Int
  /// True if the time was up before the rounds were done.
  public let isCutShort: Bool
  /// The duration of the race.
  public let duration: Duration
  /// The share of the rounds in which the actors may have run at the same time, from 0 to 1; with more than two actors,
  /// the share of all pairs of calls.
  ///
  /// It is 1 minus the share in which an actor, when it began, saw that the other had returned already. A closer
  /// measurement would keep them apart. So it is an upper bound, and near the truth for actors that take more than the
  /// tenth of a microsecond that a core needs to see what another one wrote. A race whose actors don't overlap shows
  /// little; one of actors that wait for each other, or of tasks that are suspended, overlaps without running at the
  /// same time. The report warns if the number is meaningless: with few rounds, and with fewer cores than actors.
  public let overlap: Double
  /// The observed outcomes: in the order of the list of expected outcomes, then the rest, the most frequent first.
  public let outcomes: [ObservedOutcome<Outcome>]
  /// The expected outcomes that never occurred: the stress was too weak, or they are impossible.
  ///
  /// Doesn't include forbidden outcomes.
  public let unseen: [ExpectedOutcome<Outcome>]
  /// The errors that actors threw; each fails the race.
  public let errors: [ActorError]
  /// The reason that the race ended before its rounds were done; nil if they were.
  public let interruption: RaceInterruption?
  /// The state of the threads of stuck actors when the race was given up: a line for each.
  ///
  /// Made from information of the system, which is available on Linux only.
  public let whereabouts: [String]
  /// The seed of the race's random numbers.
  public let seed: UInt64

  /// The number of actors.
  let actors: Int
  /// The number of cores that they had.
  let cores: Int
  let requiresAllAcceptable: Bool
  let requires: RequiredExtent
  /// The time that a call was allowed to take.
  let patience: Duration
  /// The function that contains the race.
  let function: String

  /// Failed if something wrong was found, inconclusive if less was run than is required.
  ///
  /// Wrong is an outcome that is forbidden or unlisted, an actor that threw, a call that got stuck, an acceptable outcome
  /// that was required and never occurred, and a race of no rounds.
  public var verdict: TestVerdict {
    let isFailure =
      interruption != nil || rounds == 0 || !errors.isEmpty || outcomes.contains { $0.verdict.isFailure }
      || !missing.isEmpty
    return isFailure ? .failed : lacks.isEmpty ? .passed : .inconclusive
  }

  /// The ways in which the race was too small.
  enum Lack { case rounds, overlap }

  /// The ways in which less was run than is required.
  var lacks: [Lack] {
    var lacks: [Lack] = []
    if Double(rounds) < Double(plannedRounds) * requires.rounds { lacks.append(.rounds) }
    // With fewer cores than actors the share says little, but none at all is never enough.
    if rounds >= 100, overlap < requires.overlap, cores >= actors || overlap == 0 { lacks.append(.overlap) }
    return lacks
  }

  /// Returns the number of rounds in which an outcome occurred.
  public func count(of outcome: Outcome) -> Int { outcomes.first { $0.value == outcome }?.count ?? 0 }

  /// The outcomes that were required and didn't occur.
  var missing: [ExpectedOutcome<Outcome>] { requiresAllAcceptable ? unseen.filter { $0.verdict == .acceptable } : [] }
}
