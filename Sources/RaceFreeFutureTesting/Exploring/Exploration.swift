// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The result of ``explore(_:_:seed:maxSteps:scenario:)`` or ``exploreTasks(_:_:seed:maxSteps:body:)``.
public struct Exploration: TestReport {
  /// The name of the exploration.
  public let name: String
  /// The failure of the order that is shown, in one sentence; nil if none was found.
  public let failure: String?
  /// The number of orders that were run, up to the first one that failed, or that didn't come to an end.
  public let orders: Int
  /// True if all possible orders of the steps were run.
  ///
  /// A step of ``exploreTasks(_:_:seed:maxSteps:body:)`` is interrupted only at the points that
  /// <doc:ExploringAsyncCode> lists: not at real locks and atomics.
  public let isComplete: Bool
  /// The order that is shown, for ``Search/replay(_:)``; nil if no failure was found.
  public let order: String?
  /// The number of steps of the order that is shown or, if no failure was found, of the longest one.
  public let steps: Int
  /// The way in which the explorer lost control in one of the orders, in a few words; nil if it never did.
  ///
  /// For ``exploreTasks(_:_:seed:maxSteps:body:)``: a foreign thread, queue or executor continued one of the tasks. The
  /// orders that were run are possible orders; there are others, which can't be counted.
  public let uncontrolled: String?
  /// The report: at most 60 lines of at most 110 columns; only the order in the last line may be longer.
  public let description: String

  /// True if every order that was run passed, and at least one was run.
  public var passed: Bool { failure == nil }
}
