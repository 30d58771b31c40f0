// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

public import RaceFreeFutureTesting

extension Exploration {
  /// True if all orders passed that can be told apart if the tasks share only actors and what is explored.
  public var passedAllThatDiffer: Bool {
    passed && (isComplete || description.replacing("\n", with: " ").contains("that can be told apart"))
  }
}
