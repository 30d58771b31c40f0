// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// MARK: - Inspect

extension CancelToken {
  /// A future as the running `perform` block of a token sees it: it stands still, unless the block itself cancels.
  ///
  /// ``Future/State`` without `complete`.
  public struct State: ~Copyable {
    private let future: Future

    @usableFromInline
    init(_ token: CancelToken) {
      future = token.future
    }

    /// Whether the future is undecided.
    ///
    /// True stays true until the block ends or cancels.
    public var isPending: Bool { future.isPending }
    /// Whether the future was completed.
    public var isCompleted: Bool { future.isCompleted }
    /// Whether the future was cancelled.
    public var isCancelled: Bool { future.isCancelled }
    /// Why the future was cancelled; nil unless it was.
    public var cancellationReason: (any Error)? { future.cancellationReason }

    /// Cancels the future, if it is pending; see ``Future/State/cancel(throwing:)``.
    ///
    /// - Parameter reason: Why.
    public mutating func cancel(throwing reason: any Error = CancellationError()) {
      future.decideInside(.cancelled(reason))
    }
  }

  /// Runs a block in its turn, during which nobody else completes or cancels the future; see
  /// ``Future/perform(_:)``.
  ///
  /// - Parameter body: Runs exactly once, on the private queue.
  public func perform(_ body: @escaping @Sendable (inout State) -> Void) {
    future.perform { (_: inout Future.State) in
      var state = State(self)
      body(&state)
    }
  }

  /// Runs a block in its turn and suspends the calling task until it has returned; see ``Future/withTurn(_:)``.
  ///
  /// - Parameter body: Runs exactly once, on the private queue.
  /// - Returns: What the block returned.
  /// - Throws: What the block threw.
  public func withTurn<T: Sendable, E: Error>(
    _ body: @escaping @Sendable (inout State) throws(E) -> T
  ) async throws(E) -> T {
    try await future.withTurn { (_: inout Future.State) throws(E) -> T in
      var state = State(self)
      return try body(&state)
    }
  }

  /// Runs a block in its turn and blocks the calling thread until it has returned; see ``Future/performAndWait(_:)``.
  ///
  /// - Parameter body: Runs exactly once, on the private queue.
  /// - Returns: What the block returned.
  /// - Throws: What the block threw.
  @inlinable
  public func performAndWait<T, E: Error>(_ body: (inout State) throws(E) -> T) throws(E) -> T {
    try future.performAndWait { (_: inout Future.State) throws(E) -> T in
      var state = State(self)
      return try body(&state)
    }
  }

  /// Runs a block in its turn if the future has not been cancelled by then; see
  /// ``Future/unlessCancelled(_:)``.
  ///
  /// - Parameter body: Runs at most once, on the private queue.
  public func unlessCancelled(_ body: @escaping @Sendable () -> Void) {
    future.unlessCancelled(body)
  }

  /// Runs a block in its turn if the future has not been cancelled by then, and suspends the calling task until it has
  /// returned.
  ///
  /// - Parameter body: Runs at most once, on the private queue.
  /// - Returns: What the block returned; nil if the block did not run.
  /// - Throws: What the block threw.
  public func withTurnUnlessCancelled<T: Sendable, E: Error>(
    _ body: @escaping @Sendable () throws(E) -> T
  ) async throws(E) -> T? {
    try await future.withTurnUnlessCancelled(body)
  }

  /// Runs a block in its turn if the future has not been cancelled by then, and blocks the calling thread until it has
  /// returned.
  ///
  /// - Parameter body: Runs at most once, on the private queue.
  /// - Returns: What the block returned; nil if the block did not run.
  /// - Throws: What the block threw.
  @inlinable
  public func unlessCancelledAndWait<T, E: Error>(_ body: () throws(E) -> T) throws(E) -> T? {
    try future.unlessCancelledAndWait(body)
  }
}

// MARK: - Poll

extension CancelToken {
  /// Whether the future is undecided; see ``Future/isPending``.
  public var isPending: Bool { future.isPending }
  /// Whether the future was completed; see ``Future/isCompleted``.
  public var isCompleted: Bool { future.isCompleted }
  /// Whether the future was cancelled; see ``Future/isCancelled``.
  public var isCancelled: Bool { future.isCancelled }
  /// Why the future was cancelled; nil unless it was.
  public var cancellationReason: (any Error)? { future.cancellationReason }

  /// Throws the reason if the future was cancelled; see ``Future/checkCancellation()``.
  ///
  /// - Throws: ``cancellationReason``.
  public func checkCancellation() throws { try future.checkCancellation() }
}
