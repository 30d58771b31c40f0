// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// MARK: - Inspect

extension CancellableWork {
  /// Whether the future is undecided.
  ///
  /// One atomic load. False never changes again; true may be out of date when you read it. To check and then act, use
  /// ``perform(_:)``.
  @inlinable
  public var isPending: Bool { cancelToken.future.decidedOutcome == nil }

  /// Whether the future was completed.
  ///
  /// One atomic load. It never changes again once the future is resolved; while that is pending the answer may be out of
  /// date when you read it.
  @inlinable
  public var isCompleted: Bool { cancelToken.future.decidedOutcome == .completed }

  /// Whether the future was cancelled.
  ///
  /// One atomic load. It never changes again once the future is resolved; while that is pending the answer may be out of
  /// date when you read it. To check and then act, use ``unlessCancelled(_:)``.
  @inlinable
  public var isCancelled: Bool { cancelToken.future.decidedOutcome == .cancelled }

  /// The reason that the deciding call gave; nil unless the future was cancelled.
  ///
  /// A ``TimeoutError`` or ``AbandonedError`` that came through links carries its path.
  public var cancellationReason: (any Error)? { cancelToken.future.resolution?.reason }

  /// Throws the reason if the future was cancelled.
  ///
  /// One atomic load as long as it wasn't: meant for the inside of loops. Like `Task.checkCancellation()`.
  ///
  /// - Throws: ``cancellationReason``.
  @inlinable
  public func checkCancellation() throws {
    if isCancelled, let cancellationReason { throw cancellationReason }
  }
}
