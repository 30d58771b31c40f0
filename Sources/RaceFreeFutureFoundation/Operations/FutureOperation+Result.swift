// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

public import RaceFreeFuture

// MARK: - Wait

extension FutureOperation {
  /// Blocks the calling thread until there is a result, and returns it.
  ///
  /// It doesn't start the operation: one that nobody starts lets it wait until somebody cancels it or drops it. Inside
  /// the operation's own `main()` it would wait for itself.
  ///
  /// - Returns: The value.
  /// - Throws: The error, ``FutureOperationError/resultNotSet``, or the reason of a cancellation.
  @available(*, noasync, message: "it blocks the thread; await `valueFuture.value`")
  public final func result() throws -> Value {
    try valueFuture.wait()
  }

  /// Blocks the calling thread until there is a result, but not longer than the given time.
  ///
  /// When it gives up, the operation goes on; to stop it, use `cancel(after:)`.
  ///
  /// - Parameter timeout: How long. Zero or less doesn't wait.
  /// - Returns: The value.
  /// - Throws: `TimeoutError`, or what ``result()`` throws.
  @available(*, noasync, message: "it blocks the thread; await `valueFuture.value(within:)`")
  public final func result(timeout: Duration) throws -> Value {
    try valueFuture.wait(timeout: timeout)
  }
}

// MARK: - Observe

extension FutureOperation {
  /// Adds a handler that runs once with the result, unless the operation is cancelled before the handler starts.
  ///
  /// That is asked again at the last moment. So if `cancel()` is called where the handler runs, on the main queue for
  /// example, the handler doesn't run after it: not even if the operation was finished before, and the handler on its
  /// way. It is `cancel()` of the operation that has this power, or of its queue as long as the operation is there;
  /// a cancellation of a future that is completed does nothing. Callable from any thread; never blocks.
  ///
  /// - Parameters:
  ///   - context: Where it runs; by default on the main queue.
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
