// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// MARK: - Act while nothing changes

extension CancelToken {
  /// The state of a future inside a running `perform` block: it doesn't change unless the block itself cancels.
  ///
  /// It exists only inside the block. ``Future/State`` can also complete.
  public struct State: ~Copyable {
    private let future: Future

    @usableFromInline
    init(_ token: CancelToken) {
      future = token.future
    }

    /// A Boolean value that indicates whether the future is undecided.
    ///
    /// True doesn't change until the block ends or cancels.
    public var isPending: Bool { future.isPending }
    /// A Boolean value that indicates whether the future was completed.
    public var isCompleted: Bool { future.isCompleted }
    /// A Boolean value that indicates whether the future was cancelled.
    public var isCancelled: Bool { future.isCancelled }
    /// The reason of the cancellation; nil unless the future was cancelled.
    public var cancellationReason: (any Error)? { future.cancellationReason }

    /// Cancels the future, if it is pending.
    ///
    /// Takes effect at once; the handlers start when the block has returned.
    ///
    /// - Parameters:
    ///   - reason: The reason; see ``CancellableWork/cancel(throwing:fileID:line:)``.
    ///   - fileID: The file of the call; keep the default.
    ///   - line: The line of the call; keep the default.
    public mutating func cancel(
      throwing reason: any Error = CancellationError(),
      fileID: StaticString = #fileID,
      line: UInt = #line
    ) {
      future.decideInside(.cancelled(reason, at: CancellationSites.site(fileID, line)))
    }
  }
}

extension CancellableWork {
  /// Runs a block in its turn, during which only the block itself can resolve the future.
  ///
  /// A future that is pending when the block starts stays pending until it ends, unless the block decides. No handler
  /// of the future starts meanwhile. The block runs on the private queue, behind the blocks, decisions and handlers
  /// already queued there; this returns at once. To wait for the block, use ``withTurn(_:)`` in a task and
  /// ``performAndWait(_:)`` elsewhere.
  ///
  /// - Parameter body: The block. It runs exactly once, whatever the state of the future.
  @inlinable
  public func perform(_ body: @escaping @Sendable (inout CancelToken.State) -> Void) {
    let token = cancelToken
    token.future.perform { (_: inout Future.State) in
      var state = CancelToken.State(token)
      body(&state)
    }
  }

  /// Runs a block in its turn, as ``perform(_:)`` does, and suspends the calling task until it returns.
  ///
  /// The block runs on the private queue, not in the task: it is a synchronous function. It runs exactly once, even if
  /// the task has been cancelled.
  ///
  /// - Parameter body: The block. It runs exactly once, whatever the state of the future.
  /// - Returns: The value returned by the block.
  /// - Throws: The error thrown by the block.
  @inlinable
  public func withTurn<T: Sendable, E: Error>(
    _ body: @escaping @Sendable (inout CancelToken.State) throws(E) -> T
  ) async throws(E) -> T {
    let token = cancelToken
    return try await token.future.withTurn { (_: inout Future.State) throws(E) -> T in
      var state = CancelToken.State(token)
      return try body(&state)
    }
  }

  /// Runs a block in its turn, as `perform` does, and blocks the calling thread until it returns.
  ///
  /// The block runs on the private queue, in general on the calling thread itself. Called from inside a block or
  /// handler on the future's private queue it runs in place. It waits for the blocks and handlers queued before it:
  /// don't call it while holding a resource that one of them needs, nor from a task's cancellation handler. Like
  /// `DispatchQueue.sync` and `Mutex.withLock` it may be called in asynchronous functions, as it waits only for blocks
  /// that are running or ready to run, never for an event; where these may take long, use ``withTurn(_:)``. While
  /// another thread is still dispatching the handlers of the outcome, the block may run before a handler that was
  /// registered earlier and isn't dispatched yet.
  ///
  /// - Parameter body: The block. It runs exactly once, whatever the state of the future.
  /// - Returns: The value returned by the block.
  /// - Throws: The error thrown by the block.
  @inlinable
  public func performAndWait<T, E: Error>(_ body: (inout CancelToken.State) throws(E) -> T) throws(E) -> T {
    let token = cancelToken
    return try token.future.performAndWait { (_: inout Future.State) throws(E) -> T in
      var state = CancelToken.State(token)
      return try body(&state)
    }
  }
}

// MARK: - Act unless cancelled

extension CancellableWork {
  /// Runs a block in its turn if the future has not been cancelled by then; it can't be cancelled while the block runs.
  ///
  /// `perform { state in if !state.isCancelled { body() } }`. It also runs if the future was completed. This returns at
  /// once. Blocks are queued, and a cancellation behind them: of several blocks queued at once, the later ones run
  /// although an earlier one cancels. Where that matters, queue each block from inside the previous one, or use
  /// ``unlessCancelledAndWait(_:)``.
  ///
  /// - Parameter body: The block. It runs at most once, on the private queue.
  @inlinable
  public func unlessCancelled(_ body: @escaping @Sendable () -> Void) {
    cancelToken.future.perform { (state: inout Future.State) in
      if !state.isCancelled { body() }
    }
  }

  /// Runs a block as `unlessCancelled` does, and blocks the calling thread until it returns.
  ///
  /// For the blocks and handlers it waits for, see ``performAndWait(_:)``.
  ///
  /// - Parameter body: The block. It runs at most once, on the private queue, in general on the calling thread itself.
  /// - Returns: The value returned by the block; nil if the future had been cancelled and the block did not run.
  /// - Throws: The error thrown by the block.
  @inlinable
  public func unlessCancelledAndWait<T, E: Error>(_ body: () throws(E) -> T) throws(E) -> T? {
    try cancelToken.future.performAndWait { (state: inout Future.State) throws(E) -> T? in
      state.isCancelled ? nil : try body()
    }
  }
}
