// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// What ``explore(_:_:seed:maxSteps:scenario:)`` or ``exploreTasks(_:_:seed:maxSteps:body:)`` found out.
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
  /// How the explorer lost control in one of the orders, in a few words; nil if it had it all the time.
  ///
  /// For ``exploreTasks(_:_:seed:maxSteps:body:)``: a thread, a queue or an executor of somebody else's went on with
  /// one of the tasks. The orders that were run are orders that may come up; there are others, which can't be
  /// counted.
  public let uncontrolled: String?
  /// The report: at most 60 lines of at most 110 columns.
  public let description: String

  /// Whether every order that was run, and at least one was, is as it should be.
  public var passed: Bool { failure == nil }
}
