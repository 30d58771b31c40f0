// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

public import RaceFreeFutureTestingTools

/// The result of ``explore(_:_:fileID:filePath:line:column:scenario:)`` or ``exploreTasks(_:_:fileID:filePath:line:column:body:)``.
public struct Exploration: TestReport, PicturedReport {
  /// The name of the exploration.
  public let name: String
  /// The failure of the order that is shown, in one sentence; nil if none was found.
  public let failure: String?
  /// The number of orders that were run, up to the first one that failed, or that didn't come to an end.
  public let orders: Int
  /// The number of further orders that were begun and not counted: each showed the same as one that was.
  @_spi(Drawing) public internal(set) var redundant = 0
  /// True if all possible orders of the steps were run.
  ///
  /// A step of ``exploreTasks(_:_:fileID:filePath:line:column:body:)`` is interrupted only at the points that
  /// <doc:ExploringAsyncCode> lists: not at real locks and atomics.
  public let isComplete: Bool
  /// The order that is shown, for ``Search/replay(_:)``; nil if no failure was found.
  public let order: String?
  /// The number of steps of the order that is shown or, if no failure was found, of the longest one.
  public let steps: Int
  /// The way in which the explorer lost control in one of the orders, in a few words; nil if it never did.
  ///
  /// For ``exploreTasks(_:_:fileID:filePath:line:column:body:)``: a foreign thread, queue or executor continued one of the tasks. The
  /// orders that were run are possible orders; there are others, which can't be counted.
  public let uncontrolled: String?
  /// True if others could act between the beginning and the end of each task or thread, in some order, or of all but one
  /// task.
  ///
  /// Such points are suspensions, hops, continuations, cancellations, their handlers, the making and resuming of tasks, and
  /// the operations of ``Explored``. A real lock isn't one. True as well if a task awaited a future: each operation of that
  /// is atomic anyway.
  public internal(set) var hasPoints = true
  /// False if control was lost, real locks hid too much, or the time was up too early.
  var isConclusive = true
  /// The report: at most 60 lines of at most 110 columns; only the order in the last line may be longer.
  public let description: String
  /// The failing order, to be drawn.
  var picture: OrderPicture?
  /// The failing order as a picture.
  package var page: ReportPage? { picture?.page }

  /// Passed if every order that was run passed. (Of the processes that share a search, one may have none to run.)
  ///
  /// Inconclusive if two tasks, or a thread, had no point at which others could act; if others than the explorer ran a part
  /// of it (``uncontrolled``); on Linux, if each of two used real locks twice where nobody acts in between; if the time was
  /// up before half of the orders that were wanted; if nothing could vary in a test with the trait `.explored`; or if tasks can't be explored with this toolchain.
  public var verdict: TestVerdict { failure != nil ? .failed : hasPoints && isConclusive ? .passed : .inconclusive }
}
