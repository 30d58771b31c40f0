// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// An error that an actor of a race threw.
///
/// It fails the race, and in its rounds nobody asks for the outcome. An actor that may fail returns what it threw
/// instead: `{ subject in Result { try subject.load() } }`.
public struct ActorError: Hashable, Sendable {
  /// The place of the actor in the list, from 1.
  public let actor: Int
  /// The error in words.
  public let error: String
  /// In how many rounds it was thrown.
  public let count: Int
  /// The first of these rounds, counted from 1.
  public let firstRound: Int
}
