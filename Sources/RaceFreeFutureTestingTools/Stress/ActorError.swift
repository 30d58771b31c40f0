// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// An error that an actor of a race threw.
///
/// It fails the race, and `outcome` isn't called for its rounds. An actor that may fail should return its error
/// instead: `{ subject in Result { try subject.load() } }`.
public struct ActorError: Hashable, Sendable {
  /// The place of the actor in the list, from 1.
  public let actor: Int
  /// A description of the error.
  public let error: String
  /// The number of rounds in which it was thrown.
  public let count: Int
  /// The first of these rounds, counted from 1.
  public let firstRound: Int
}
