// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// A rule by which orders are left out that a machine may run, because there are infinitely many of their kind.
enum SearchRule: Int, CaseIterable {
  /// See ``Fairness``.
  case yields
  /// See ``MemoryModel``.
  case staleReads
  case weakExchanges
  /// Actors of `explore` that await.
  case suspensions
  /// See ``DrivenSource``.
  case repetitions

  /// The orders that were run, in words that follow "all in which".
  var words: String {
    switch self {
    case .yields: "nobody yields over \(Fairness.yields) times while another waits"
    case .staleReads: "no thread reads the same old value more than \(MemoryModel.mostStaleReads) times in a row"
    case .weakExchanges: "no weak exchange fails without a reason twice in a row"
    case .suspensions: "tasks are interrupted only where they suspend"
    case .repetitions: "no timer fires more than \(DrivenSource.mostTicks) times while others can continue"
    }
  }
}
