// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// MARK: - Run asynchronous code

extension CancellableWork {
  /// Runs asynchronous code as a child of the calling task, until this future is cancelled.
  ///
  /// ```swift
  /// let page = try await connection.run {
  ///   try await fetch(url)
  /// }
  /// ```
  ///
  /// - When the future is cancelled, so is the child task, before the call that cancels returns. If the body then
  ///   throws any error, this throws the future's ``cancellationReason``; a value that it still returns is returned, so
  ///   that nothing is lost. If the future is cancelled before the child task has started the body, the body isn't
  ///   called.
  /// - This returns when the body has, as structured code does: a body that ignores cancellation delays it. To return
  ///   at the cancellation, await a ``ValueFuture/task(priority:label:onUndelivered:fileID:line:_:)`` that is linked.
  /// - The cancellation of the calling task also cancels the child, and the future only if `cancelsToken` is true.
  /// - In the body ``CancelToken/current`` is this future's token.
  ///
  /// A completion of the future has no effect. An error that is thrown after a cancellation and isn't a
  /// `CancellationError` is reported to ``Future/observer`` as ``Future/Event/Kind/failedTooLate(_:)``, since the
  /// caller gets the reason.
  ///
  /// - Parameters:
  ///   - name: The name of the task, for debuggers.
  ///   - cancelsToken: True if the cancellation of the calling task cancels the future, with `CancellationError`.
  ///   - body: The code. It runs at most once, on the shared pool unless it says otherwise.
  /// - Returns: The value returned by the body.
  /// - Throws: The error thrown by the body, or the ``cancellationReason``.
  public func run<Value: Sendable>(
    name: String? = nil,
    cancelsToken: Bool = false,
    _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let token = cancelToken
    guard cancelsToken else { return try await token.run(name, body) }
    // In a task that is already cancelled the handler runs first.
    return try await withTaskCancellationHandler {
      try await token.run(name, body)
    } onCancel: {
      token.cancel()
    }
  }
}

extension CancelToken {
  fileprivate func run<Value: Sendable>(
    _ name: String?,
    _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try checkCancellation()
    return try await withThrowingTaskGroup(of: Value.self) { group in
      group.addTask(name: name) { try await runAsTask(body) }
      guard let value = try await group.next() else { throw CancellationError() }
      return value
    }
  }

  private func runAsTask<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value {
    let (result, reason) = await cancellingRunningTask { () async -> Result<Value, any Error>? in
      // The child task may start long after the call: what is cancelled before it begins doesn't begin.
      if isCancelled { return nil }
      do {
        return .success(try await CurrentFuture.run(in: future, body))
      } catch {
        return .failure(error)
      }
    }
    if case .success(let value) = result { return value }
    guard case .failure(let error) = result else { throw reason ?? CancellationError() }
    guard let reason else { throw error }
    if Hooks.isOn(.observer), !(error is CancellationError) { Observation.tell(future, .failedTooLate(error)) }
    throw reason
  }

  /// Runs the body in the running task, which is cancelled with the future as long as the body runs.
  ///
  /// The result also has the reason if the future had been cancelled when the body ended.
  func cancellingRunningTask<Value>(_ body: () async -> Value) async -> (value: Value, reason: (any Error)?) {
    // It can't be cancelled.
    if future.isUnresolvable { return (await body(), nil) }
    // Completed at the end of the handler, or when there is none.
    let end = Future(label: nil, site: CreationSite(#fileID, #line))
    let registration = unsafe withUnsafeCurrentTask { task in
      // Safe: a task may be cancelled from any thread while it exists, and this one doesn't end before the handler,
      // which it waits for.
      nonisolated(unsafe) let task = unsafe task
      return onCleanUp(on: .inline) { outcome in
        if outcome == .cancelled { unsafe task?.cancel() }
        end.complete()
      }
    }
    let value = await body()
    // Ask for the reason, not for the handler: the decision comes before the handler starts.
    let reason = cancellationReason
    if registration.unregister() { end.complete() } else { _ = await end.resolvedOutcome }
    return (value, reason)
  }
}
