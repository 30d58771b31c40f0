// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The options of a race: its length, its seed, and what is required of it.
///
/// ```swift
/// await race("complete against cancel", .init(rounds: 1_000_000, requires: .error), make: { Future() }, …)
/// ```
public struct RaceOptions: Sendable {
  /// The number of rounds.
  ///
  /// A race without rounds shows nothing, and its report says so and fails.
  public var rounds: Int
  /// The time after which the race ends although its rounds aren't done, to within a batch of them, some hundredths of
  /// a second; nil: there is none.
  ///
  /// A time that isn't zero is enough for some rounds, even on a busy machine.
  public var time: Duration?
  /// The seed of the random numbers; nil: the environment variable `RACEFREEFUTURE_SEED`, or a new one if it isn't set.
  ///
  /// The report prints it.
  public var seed: UInt64?
  /// The time that a call of your code may take before the race is given up, with a report that names the call and
  /// fails; at least a millisecond.
  ///
  /// The thread of that call is left behind. It takes up to twice that time. The environment variable
  /// `RACEFREEFUTURE_PATIENCE` multiplies it, for slow machines.
  public var patience: Duration
  /// True to end the race with the batch of rounds in which it has failed, some tens to two thousand of them.
  ///
  /// Set it to false to measure the frequency of the failure.
  public var endsAtFirstFailure: Bool
  /// True to fail the race also if an outcome that is listed as acceptable never occurred.
  ///
  /// Such a test depends on luck: give it many more rounds than it needs.
  public var requiresAllAcceptable: Bool
  /// The extent below which the race is inconclusive.
  public var requires: RequiredExtent

  /// Makes options.
  ///
  /// - Parameters:
  ///   - rounds: The number of rounds; nil: 100,000.
  ///   - time: The time after which the race ends although its rounds aren't done; nil: none if `rounds` is given,
  ///     otherwise a minute, multiplied by `RACEFREEFUTURE_PATIENCE`.
  ///   - seed: The seed of the random numbers.
  ///   - patience: The time that a call of your code may take.
  ///   - endsAtFirstFailure: True to end the race with the batch of rounds in which it has failed.
  ///   - requiresAllAcceptable: True to fail the race also if an acceptable outcome never occurred.
  ///   - requires: The extent below which the race is inconclusive.
  public init(
    rounds: Int? = nil,
    for time: Duration? = nil,
    seed: UInt64? = nil,
    patience: Duration = .seconds(10),
    endsAtFirstFailure: Bool = true,
    requiresAllAcceptable: Bool = false,
    requires: RequiredExtent = .warning
  ) {
    self.rounds = rounds ?? 100_000
    self.time = time ?? (rounds == nil ? Duration.seconds(60).patiently : nil)
    self.seed = seed
    self.patience = patience
    self.endsAtFirstFailure = endsAtFirstFailure
    self.requiresAllAcceptable = requiresAllAcceptable
    self.requires = requires
  }
}
