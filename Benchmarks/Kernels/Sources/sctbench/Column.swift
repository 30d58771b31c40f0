// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

@_spi(Drawing) import RaceFreeFutureExploring

/// A way to search, and the published figures beside which it stands.
enum Column: String, CaseIterable {
  /// What `explore` does if nothing is said.
  case usual
  /// The same without orders drawn at random.
  case systematic
  /// Orders drawn at random, in all ways in turn.
  case sample
  case weights, conflicts, priorities, uniform

  var title: String {
    switch self {
    case .usual: "default search"
    case .systematic: "systematic"
    case .sample: "`.sample`"
    case .weights: "SURW"
    case .conflicts: "POS"
    case .priorities: "PCT"
    case .uniform: "random"
    }
  }

  /// The published column beside it; nil: there is none.
  var published: String? {
    switch self {
    case .weights: "SURW"
    case .conflicts: "POS"
    case .priorities: "PCT-3"
    case .uniform: "random"
    case .usual, .systematic, .sample: nil
    }
  }

  /// True if it does the same whatever the seed is.
  var isDeterministic: Bool { self == .systematic }

  func search(orders: Int, seed: Int) -> Search {
    var search: Search
    switch self {
    case .usual, .systematic: search = .exhaustive(maxOrders: orders)
    case .sample, .weights, .conflicts, .priorities, .uniform: search = .sample(orders: orders)
    }
    search.seed = UInt64(seed)
    switch self {
    case .usual, .sample: break
    case .systematic: search.ways = []
    case .weights: search.ways = [.weights]
    case .conflicts: search.ways = [.conflicts]
    case .priorities: search.ways = [.priorities]
    case .uniform: search.ways = [.uniform]
    }
    return search
  }
}
