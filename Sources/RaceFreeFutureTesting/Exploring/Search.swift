// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The orders that ``explore(_:_:seed:maxSteps:scenario:)`` runs.
public enum Search: Sendable {
  /// All orders, those with the fewest forced switches first.
  ///
  /// A *forced switch* is one from an actor or queue that could have continued; most bugs need one or two. If there are
  /// more than `maxOrders`, a quarter of them is drawn at random, and the report says what was left out. Every other of
  /// these is drawn by priorities: the running actor continues as long as it can, except for one or two switches in
  /// random places. Such an order shows a mistake that needs one switch in the right place with a probability of at
  /// least 1 in n · k, for n actors and k steps. (Probabilistic concurrency testing, Burckhardt and others, 2010.)
  case exhaustive(maxOrders: Int)

  /// That many orders drawn at random, every other one by priorities: for scenarios that are too large to begin in order.
  case sample(orders: Int)

  /// The one order that a report named.
  ///
  /// If the text ends before the order does, the last actor continues.
  case replay(String)

  /// All orders, at most 20,000.
  public static var exhaustive: Search { .exhaustive(maxOrders: 20_000) }
}
