// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// MARK: - Observe

// For all handlers: a late handler that matches the outcome is dispatched at once.

extension CancellableWork {
  /// Adds a handler that runs once if the future completes.
  ///
  /// If the future is cancelled, the handler is released without running. A handler added after the completion is
  /// dispatched at once: a handler for a queue behind earlier handlers for a queue, an inline handler before this
  /// returns. Adding a handler doesn't start a lazy future. O(1).
  ///
  /// - Parameters:
  ///   - context: The context in which it runs; by default the private queue.
  ///   - handler: The handler. It is released when it has run or was unregistered, or at the other outcome.
  /// - Returns: A registration to unregister the handler with. Releasing it has no effect.
  @inlinable
  @discardableResult
  public func onComplete(
    on context: some HandlerContext = .serialQueue,
    _ handler: @escaping @Sendable () -> Void
  ) -> Registration {
    cancelToken.future.addHandler(for: .completed, context.handlerPlace, handler)
  }

  /// Adds a handler that runs once if the future is cancelled.
  ///
  /// Otherwise like ``onComplete(on:_:)-(_,()->Void)``.
  ///
  /// - Parameters:
  ///   - context: The context in which it runs; by default the private queue.
  ///   - handler: The handler. It is released when it has run or was unregistered, or at the other outcome.
  /// - Returns: A registration to unregister the handler with. Releasing it has no effect.
  @inlinable
  @discardableResult
  public func onCancel(
    on context: some HandlerContext = .serialQueue,
    _ handler: @escaping @Sendable () -> Void
  ) -> Registration {
    cancelToken.future.addHandler(for: .cancelled, context.handlerPlace, handler)
  }

  /// Adds a handler that runs once if the future is cancelled, with the reason.
  ///
  /// - Parameters:
  ///   - context: The context in which it runs; by default the private queue.
  ///   - handler: The handler; its argument is the reason given by the deciding call. Otherwise see
  ///     ``onCancel(on:_:)-(_,()->Void)``.
  /// - Returns: A registration to unregister the handler with. Releasing it has no effect.
  @inlinable
  @discardableResult
  public func onCancel(
    on context: some HandlerContext = .serialQueue,
    _ handler: @escaping @Sendable (any Error) -> Void
  ) -> Registration {
    cancelToken.future.addHandlerOfReason(context.handlerPlace, handler)
  }

  /// Adds a handler that runs once, whatever the outcome.
  ///
  /// Otherwise like ``onComplete(on:_:)-(_,()->Void)``.
  ///
  /// - Parameters:
  ///   - context: The context in which it runs; by default the private queue.
  ///   - handler: The handler. It is released when it has run or was unregistered.
  /// - Returns: A registration to unregister the handler with. Releasing it has no effect.
  @inlinable
  @discardableResult
  public func onCleanUp(
    on context: some HandlerContext = .serialQueue,
    _ handler: @escaping @Sendable () -> Void
  ) -> Registration {
    cancelToken.future.addHandler(for: nil, context.handlerPlace, handler)
  }

  /// Adds a handler that runs once, with the outcome.
  ///
  /// - Parameters:
  ///   - context: The context in which it runs; by default the private queue.
  ///   - handler: The handler; its argument is the outcome. The failure of a value future is a completion. Otherwise
  ///     see ``onCleanUp(on:_:)-(_,()->Void)``.
  /// - Returns: A registration to unregister the handler with. Releasing it has no effect.
  @inlinable
  @discardableResult
  public func onCleanUp(
    on context: some HandlerContext = .serialQueue,
    _ handler: @escaping @Sendable (Future.Outcome) -> Void
  ) -> Registration {
    cancelToken.future.addHandlerOfOutcome(context.handlerPlace, handler)
  }
}

// MARK: - Observe on the main actor

extension CancellableWork {
  /// Adds a handler that runs once on the main actor if the future completes.
  ///
  /// Equivalent to the same method with the context `.main`.
  ///
  /// - Parameters:
  ///   - actor: `MainActor.shared`.
  ///   - handler: Runs isolated to the main actor.
  /// - Returns: A registration to unregister the handler with. Releasing it has no effect.
  @discardableResult
  public func onComplete(on actor: MainActor, _ handler: @escaping @MainActor @Sendable () -> Void) -> Registration {
    onComplete(on: .main) { MainActor.assumeIsolated(handler) }
  }

  /// Adds a handler that runs once on the main actor if the future is cancelled.
  ///
  /// Equivalent to the same method with the context `.main`.
  ///
  /// - Parameters:
  ///   - actor: `MainActor.shared`.
  ///   - handler: Runs isolated to the main actor.
  /// - Returns: A registration to unregister the handler with. Releasing it has no effect.
  @discardableResult
  public func onCancel(on actor: MainActor, _ handler: @escaping @MainActor @Sendable () -> Void) -> Registration {
    onCancel(on: .main) { MainActor.assumeIsolated(handler) }
  }

  /// Adds a handler that runs once on the main actor if the future is cancelled, with the reason.
  ///
  /// Equivalent to the same method with the context `.main`.
  ///
  /// - Parameters:
  ///   - actor: `MainActor.shared`.
  ///   - handler: Runs isolated to the main actor, with the reason.
  /// - Returns: A registration to unregister the handler with. Releasing it has no effect.
  @discardableResult
  public func onCancel(
    on actor: MainActor,
    _ handler: @escaping @MainActor @Sendable (any Error) -> Void
  ) -> Registration {
    onCancel(on: .main) { reason in MainActor.assumeIsolated { handler(reason) } }
  }
}
