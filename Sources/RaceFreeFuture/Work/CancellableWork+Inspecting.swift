// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// MARK: - Inspect

extension CancellableWork {
  /// A Boolean value that indicates whether the future is undecided.
  ///
  /// One atomic load. False is final; true may be out of date by the time you read it. To check and then act, use
  /// ``perform(_:)``.
  @inlinable
  public var isPending: Bool { cancelToken.future.decidedOutcome == nil }

  /// A Boolean value that indicates whether the future was completed.
  ///
  /// One atomic load. The value is final once the future is resolved; while it is pending the value may be out of date
  /// by the time you read it.
  @inlinable
  public var isCompleted: Bool { cancelToken.future.decidedOutcome == .completed }

  /// A Boolean value that indicates whether the future was cancelled.
  ///
  /// One atomic load. The value is final once the future is resolved; while it is pending the value may be out of date
  /// by the time you read it. To check and then act, use ``unlessCancelled(_:)``.
  @inlinable
  public var isCancelled: Bool { cancelToken.future.decidedOutcome == .cancelled }

  /// The reason given by the deciding call; nil unless the future was cancelled.
  public var cancellationReason: (any Error)? { cancelToken.future.resolution?.reason }

  /// Throws the reason if the future was cancelled.
  ///
  /// One atomic load as long as the future isn't cancelled, so it can be called inside loops. Like
  /// `Task.checkCancellation()`.
  ///
  /// - Throws: ``cancellationReason``.
  @inlinable
  public func checkCancellation() throws {
    if isCancelled, let cancellationReason { throw cancellationReason }
  }
}
