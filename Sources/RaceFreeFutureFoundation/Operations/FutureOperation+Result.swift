// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

public import RaceFreeFuture

// MARK: - Wait

extension FutureOperation {
  /// Blocks the calling thread until there is a result, and returns it.
  ///
  /// It doesn't start the operation: if the operation is never started, the call blocks until it is cancelled or
  /// released. Inside the operation's own `main()` it would wait for itself.
  ///
  /// - Returns: The value.
  /// - Throws: The error, ``FutureOperationError/resultNotSet``, or the reason of a cancellation.
  @available(*, noasync, message: "it blocks the thread; await `valueFuture.value`")
  public final func result() throws -> Value {
    try valueFuture.wait()
  }

  /// Blocks the calling thread until there is a result, but not longer than the given time.
  ///
  /// When it times out, the operation continues; to stop it, use `cancel(after:)`.
  ///
  /// - Parameter timeout: The longest time to wait. Zero or less doesn't wait.
  /// - Returns: The value.
  /// - Throws: `TimeoutError`, or any error that ``result()`` throws.
  @available(*, noasync, message: "it blocks the thread; await `valueFuture.value(within:)`")
  public final func result(timeout: Duration) throws -> Value {
    try valueFuture.wait(timeout: timeout)
  }
}

// MARK: - Observe

extension FutureOperation {
  /// Adds a handler that runs once with the result, unless the operation is cancelled before the handler starts.
  ///
  /// The cancellation is checked again immediately before the handler runs. So if `cancel()` is called where the
  /// handler runs, on the main queue for example, the handler doesn't run after it, even if the operation was finished
  /// before and the handler was already dispatched. This is true of `cancel()` of the operation, and of `cancelAll()` and
  /// `cancelAllOperations()` of its queue as long as the operation is in it; cancelling a future that is completed, alone
  /// or with a scope, does nothing. Callable from any thread; never blocks.
  ///
  /// - Parameters:
  ///   - context: The context on which it runs; by default the main queue.
  ///   - handler: Released when it has run, was removed, or the operation was cancelled.
  /// - Returns: What takes the handler back. Dropping it changes nothing.
  @discardableResult
  public final func onResult(
    on context: some HandlerContext = .main,
    _ handler: @escaping @Sendable (Result<Value, any Error>) -> Void
  ) -> Registration {
    valueFuture.onResult(on: context) { [slot] result in
      if !slot.isDismissed { handler(result) }
    }
  }

  /// Adds a handler that runs once on the main actor with the result, unless the operation is cancelled before the
  /// handler starts.
  ///
  /// Like ``onResult(on:_:)-(_,(Result<Value,Error>)->Void)``.
  ///
  /// - Parameters:
  ///   - actor: `MainActor.shared`.
  ///   - handler: Runs isolated to the main actor.
  /// - Returns: What takes the handler back. Dropping it changes nothing.
  @discardableResult
  public final func onResult(
    on actor: MainActor,
    _ handler: @escaping @MainActor @Sendable (Result<Value, any Error>) -> Void
  ) -> Registration {
    onResult(on: .main) { result in MainActor.assumeIsolated { handler(result) } }
  }
}
