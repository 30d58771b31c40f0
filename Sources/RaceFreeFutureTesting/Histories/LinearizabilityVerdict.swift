// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// Whether the calls of a history could have been made one after the other.
public enum LinearizabilityVerdict: Hashable, Sendable {
  /// They could, for example in this order: indices of ``History/calls``.
  ///
  /// A call that never returned is in it only if it must have taken effect.
  case linearizable(order: [Int])

  /// They could not. The order is the longest that explains as many of them as it has, as indices of
  /// ``History/calls``.
  case notLinearizable(longestOrder: [Int])

  /// The budget was used up before anything was certain.
  case undecided

  /// Whether it is certain that the calls could have been made one after the other.
  public var isLinearizable: Bool {
    if case .linearizable = self { true } else { false }
  }
}
