// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// MARK: - Act while nothing changes

extension CancellableWork {
  /// Runs a block in its turn, during which only the block itself can resolve the future.
  ///
  /// A future that is pending when the block starts stays pending until it ends, unless the block decides: `work.perform
  /// { if work.isPending { save(); work.complete() } }`. What the block's thread decides about this future takes effect
  /// at once, and the handlers start when the block has returned. The block runs on the private queue, behind the blocks,
  /// decisions and handlers already queued there; this returns at once. To wait for the block, use ``withTurn(_:)`` in a
  /// task and ``performAndWait(_:)`` elsewhere.
  ///
  /// - Parameter body: The block. It runs exactly once, whatever the state of the future.
  @inlinable
  public func perform(_ body: @escaping @Sendable () -> Void) {
    cancelToken.future.enqueueBlock(body)
  }

  /// Runs a block in its turn, as ``perform(_:)`` does, and suspends the calling task until it returns.
  ///
  /// The block runs on the private queue, not in the task: it is a synchronous function. It runs exactly once, even if
  /// the task has been cancelled.
  ///
  /// - Parameter body: The block. It runs exactly once, whatever the state of the future.
  /// - Returns: The value returned by the block.
  /// - Throws: The error thrown by the block.
  public func withTurn<T: Sendable, E: Error>(_ body: @escaping @Sendable () throws(E) -> T) async throws(E) -> T {
    // Guards the result, which the task takes, so that it isn't released on the private queue.
    let result = Locked<Result<T, E>?>(nil)
    await cancelToken.future.suspendForBlock {
      let returned = catching(body)
      result.withLock { $0 = returned }
    }
    guard let returned = result.withLock({ $0.take() }) else { preconditionFailure("the block has not run") }
    return try returned.get()
  }

  /// Runs a block in its turn, as `perform` does, and blocks the calling thread until it returns.
  ///
  /// The block runs on the private queue, in general on the calling thread itself. In a call from inside a block or
  /// handler on the future's private queue, the new block runs in place. Like `DispatchQueue.sync` and
  /// `Mutex.withLock`, this may be called in asynchronous functions, as it waits only for blocks that are running or
  /// ready to run, never for an event; where these may take long, use ``withTurn(_:)``. It waits for the blocks and
  /// handlers queued before it: don't call it while holding a resource that one of them needs, nor from a task's
  /// cancellation handler. While another thread is still dispatching the handlers of the outcome, the block may run
  /// before a handler that was registered earlier and isn't dispatched yet.
  ///
  /// - Parameter body: The block. It runs exactly once, whatever the state of the future.
  /// - Returns: The value returned by the block.
  /// - Throws: The error thrown by the block.
  @inlinable
  public func performAndWait<T, E: Error>(_ body: () throws(E) -> T) throws(E) -> T {
    // Inlined at the call: as a generic function of another module it would create types at run time.
    var result: Result<T, E>?
    cancelToken.future.runInTurn { result = catching(body) }
    guard let result else { preconditionFailure("the block has not run") }
    return try result.get()
  }
}

/// `Result(catching:)` with a typed error in a closure that doesn't escape.
@inlinable
func catching<T, E: Error>(_ body: () throws(E) -> T) -> Result<T, E> {
  do {
    return .success(try body())
  } catch {
    return .failure(error)
  }
}

// MARK: - Act unless cancelled

extension CancellableWork {
  /// Runs a block in its turn if the future has not been cancelled by then; nobody else can cancel it while the block
  /// runs.
  ///
  /// Equivalent to `perform { if !isCancelled { body() } }`; the block also runs if the future was completed. This
  /// returns at once. If another thread cancels the future, the cancellation is queued behind the blocks that are
  /// already queued, and all of these run. If one of the blocks itself cancels, none runs after it.
  ///
  /// - Parameter body: The block. It runs at most once, on the private queue.
  @inlinable
  public func unlessCancelled(_ body: @escaping @Sendable () -> Void) {
    let token = cancelToken
    token.perform { if !token.isCancelled { body() } }
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
    let token = cancelToken
    return try token.performAndWait { () throws(E) -> T? in token.isCancelled ? nil : try body() }
  }
}
