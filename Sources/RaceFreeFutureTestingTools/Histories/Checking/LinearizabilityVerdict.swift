// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The verdict on a history: the possibility that its calls were made one after the other.
public enum LinearizabilityVerdict: Hashable, Sendable {
  /// They could, for example in this order of indices of ``History/calls``.
  ///
  /// A call that never returned is in it only if it must have taken effect.
  case linearizable(order: [Int])

  /// They could not. The order is the longest one found that explains all of its calls, as indices of
  /// ``History/calls``.
  case notLinearizable(longestOrder: [Int])

  /// The budget was used up before a verdict was certain.
  case undecided

  /// True if it is certain that the calls could have been made one after the other.
  public var isLinearizable: Bool {
    if case .linearizable = self { true } else { false }
  }
}
