// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// MARK: - Observe

extension ValueFuture {
  /// Adds a handler that runs once with the value or the error, if the future completes.
  ///
  /// If the future is cancelled, the handler is released without running. A handler added after the completion is
  /// dispatched at once. Adding a handler starts a lazy future. This can be called from any thread and inside handlers,
  /// and never blocks. O(1).
  ///
  /// A value that has an `onUndelivered` is received when the handler starts. If the handler is unregistered before
  /// that, the value stays with the future, and is given back when the future is released, unless it is received
  /// otherwise.
  ///
  /// - Parameters:
  ///   - context: The context in which it runs; by default the private queue.
  ///   - handler: The handler. It is released when it has run, was unregistered, or the future was cancelled.
  /// - Returns: A registration to unregister the handler with. Releasing it has no effect.
  @inlinable @discardableResult
  public func onResult(
    on context: some HandlerContext = .serialQueue,
    _ handler: @escaping @Sendable (Result<Value, any Error>) -> Void
  ) -> Registration {
    observe(
      on: context.handlerPlace,
      value: { box in handler(.success(box.receive(Value.self))) },
      failure: { error in handler(.failure(error)) }
    )
  }

  /// Adds a handler that runs once with the value, if the future completes with one.
  ///
  /// - Parameters:
  ///   - context: The context in which it runs; by default the private queue.
  ///   - handler: The handler, not called for an error. Otherwise see
  ///     ``onResult(on:_:)-(_,(Result<Value,Error>)->Void)``.
  /// - Returns: A registration to unregister the handler with. Releasing it has no effect.
  @inlinable @discardableResult
  public func onValue(
    on context: some HandlerContext = .serialQueue,
    _ handler: @escaping @Sendable (Value) -> Void
  ) -> Registration {
    observe(on: context.handlerPlace, value: { box in handler(box.receive(Value.self)) })
  }

  /// Adds a handler that runs once with the error, if the future completes with one.
  ///
  /// - Parameters:
  ///   - context: The context in which it runs; by default the private queue.
  ///   - handler: The handler, not called for a value or a cancellation. It doesn't count as receiving a value.
  ///     Otherwise see ``onResult(on:_:)-(_,(Result<Value,Error>)->Void)``.
  /// - Returns: A registration to unregister the handler with. Releasing it has no effect.
  @inlinable @discardableResult
  public func onFailure(
    on context: some HandlerContext = .serialQueue,
    _ handler: @escaping @Sendable (any Error) -> Void
  ) -> Registration {
    observe(on: context.handlerPlace, failure: handler)
  }

  /// Adds a handler that runs once, however the future ends, with the reason of a cancellation as the error.
  ///
  /// For callers that are owed exactly one answer. If the future may be released while it is pending, make it with
  /// ``makeCompleter(label:onUndelivered:fileID:line:)``: the answer is ``AbandonedError`` then.
  ///
  /// - Parameters:
  ///   - context: The context in which it runs; by default the private queue.
  ///   - handler: The handler. It is released when it has run or was unregistered. Otherwise see
  ///     ``onResult(on:_:)-(_,(Result<Value,Error>)->Void)``.
  /// - Returns: A registration to unregister the handler with. Releasing it has no effect.
  @inlinable @discardableResult
  public func onEnd(
    on context: some HandlerContext = .serialQueue,
    _ handler: @escaping @Sendable (Result<Value, any Error>) -> Void
  ) -> Registration {
    observe(
      nil,
      on: context.handlerPlace,
      value: { box in handler(.success(box.receive(Value.self))) },
      failure: { error in handler(.failure(error)) }
    )
  }

  /// The part of these that doesn't depend on the type of the value; a trigger of nil means both outcomes.
  ///
  /// The rest is inlined at the call: there the types are known, and aren't created at run time.
  @usableFromInline
  func observe(
    _ trigger: Future.Outcome? = .completed,
    on place: HandlerPlace,
    value: (@Sendable (AnyValueBox) -> Void)? = nil,
    failure: (@Sendable (any Error) -> Void)? = nil
  ) -> Registration {
    let registration = future.add(
      trigger,
      place.kind,
      .detailed { resolution in
        switch resolution {
        case .delivered(let box): value?(box)
        case .failed(let error), .cancelled(let error): failure?(error)
        case .cascaded(let trace): failure?(trace.reason)
        case .completed: break
        }
      }
    )
    demand()
    return registration
  }
}

// MARK: - Observe on the main actor

extension ValueFuture {
  /// Adds a handler that runs once on the main actor with the value or the error, if the future completes.
  ///
  /// Like ``onResult(on:_:)-(_,(Result<Value,Error>)->Void)`` with the context `.main`.
  ///
  /// - Parameters:
  ///   - actor: `MainActor.shared`.
  ///   - handler: Runs isolated to the main actor.
  /// - Returns: A registration to unregister the handler with. Releasing it has no effect.
  @discardableResult
  public func onResult(
    on actor: MainActor,
    _ handler: @escaping @MainActor @Sendable (Result<Value, any Error>) -> Void
  ) -> Registration {
    onResult(on: .main) { result in MainActor.assumeIsolated { handler(result) } }
  }

  /// Adds a handler that runs once on the main actor at the end, with the reason of a cancellation as the error.
  ///
  /// Like ``onEnd(on:_:)-(_,(Result<Value,Error>)->Void)`` with the context `.main`.
  ///
  /// - Parameters:
  ///   - actor: `MainActor.shared`.
  ///   - handler: Runs isolated to the main actor.
  /// - Returns: A registration to unregister the handler with. Releasing it has no effect.
  @discardableResult
  public func onEnd(
    on actor: MainActor,
    _ handler: @escaping @MainActor @Sendable (Result<Value, any Error>) -> Void
  ) -> Registration {
    onEnd(on: .main) { result in MainActor.assumeIsolated { handler(result) } }
  }

  /// Adds a handler that runs once on the main actor with the value, if the future completes with one.
  ///
  /// - Parameters:
  ///   - actor: `MainActor.shared`.
  ///   - handler: Runs isolated to the main actor.
  /// - Returns: A registration to unregister the handler with. Releasing it has no effect.
  @discardableResult
  public func onValue(
    on actor: MainActor,
    _ handler: @escaping @MainActor @Sendable (Value) -> Void
  ) -> Registration {
    onValue(on: .main) { value in MainActor.assumeIsolated { handler(value) } }
  }
}
