// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The reason that a race ended before its rounds were done.
public enum RaceInterruption: Hashable, Sendable {
  /// Actors didn't return: their places in the list of actors, from 1, and the round, from 1.
  ///
  /// They may wait for each other, or for an event that never happens. Their threads and the objects of the round are
  /// left behind.
  case actorsStuck([Int], round: Int)
  /// `make` didn't return when it was called for this round, counted from 1; its thread is left behind.
  case makeStuck(round: Int)
  /// `outcome` didn't return when it was called for this round, counted from 1; its thread is left behind.
  case outcomeStuck(round: Int)
  /// The task that awaited the race was cancelled.
  case cancelled
}
