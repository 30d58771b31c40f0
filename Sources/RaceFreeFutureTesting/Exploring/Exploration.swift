// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// What ``explore(_:_:seed:maxSteps:scenario:)`` found out.
public struct Exploration: TestReport {
  /// What was explored.
  public let name: String
  /// What is wrong with the order that is shown, in one sentence; nil if nothing was found.
  public let failure: String?
  /// How many orders were run, to the first one that failed.
  public let orders: Int
  /// Whether these were all orders that there are.
  public let isComplete: Bool
  /// The order that is shown, for ``Search/replay(_:)``; nil if nothing was found.
  public let order: String?
  /// How many steps the order that is shown has or, if nothing was found, the longest.
  public let steps: Int
  /// The report: at most 60 lines of at most 110 columns.
  public let description: String

  /// Whether every order that was run, and at least one was, is as it should be.
  public var passed: Bool { failure == nil }
}
