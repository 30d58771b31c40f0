// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The extent of stress below which a test that found nothing is inconclusive, recorded as a warning or an error.
///
/// On a machine that has no time for the threads, a race ends early or its actors run one after the other. Then finding
/// nothing means nothing.
public struct RequiredExtent: Hashable, Sendable {
  /// The least share of the rounds that has to be run, from 0 to 1.
  public var rounds: Double
  /// The least share of rounds that have to overlap, from 0 to 1; in `linearizabilityStress`, the least number of
  /// histories with overlapping calls, as a share of the requested number.
  ///
  /// A race isn't judged by it with fewer than a hundred rounds; nor with fewer cores than actors, unless nothing
  /// overlapped at all.
  public var overlap: Double
  /// True if too little is recorded as an error; false: as a warning, which doesn't fail the test.
  public var isError: Bool

  private init(rounds: Double, overlap: Double, isError: Bool) {
    self.rounds = rounds
    self.overlap = overlap
    self.isError = isError
  }

  /// Half of the rounds, and an overlap of one in a thousand; less is a warning.
  public static var warning: Self { warning() }

  /// Half of the rounds, and an overlap of one in a thousand; less is an error.
  public static var error: Self { error() }

  /// Less than these shares is a warning.
  public static func warning(rounds: Double = 0.5, overlap: Double = 0.001) -> Self {
    Self(rounds: rounds, overlap: overlap, isError: false)
  }

  /// Less than these shares is an error.
  public static func error(rounds: Double = 0.5, overlap: Double = 0.001) -> Self {
    Self(rounds: rounds, overlap: overlap, isError: true)
  }

  /// Nothing is required.
  public static var nothing: Self { warning(rounds: 0, overlap: 0) }
}
