// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// MARK: - Observe

// All handlers: one that is added after the outcome it belongs to is dispatched at once.

extension CancellableWork {
  /// Adds a handler that runs once if the future completes.
  ///
  /// Added after the completion it is dispatched at once: for a queue, behind those for a queue that were added before
  /// it; inline, before this returns. If the future is cancelled it never runs and is released. It doesn't start a lazy
  /// future. O(1).
  ///
  /// - Parameters:
  ///   - context: Where it runs; by default on the private queue.
  ///   - handler: Released when it has run, was taken back, or the outcome is the other one.
  /// - Returns: What takes the handler back. Dropping it changes nothing.
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
  /// For all else see ``onComplete(on:_:)-(_,()->Void)``.
  ///
  /// - Parameters:
  ///   - context: Where it runs; by default on the private queue.
  ///   - handler: Released when it has run, was taken back, or the outcome is the other one.
  /// - Returns: What takes the handler back. Dropping it changes nothing.
  @inlinable
  @discardableResult
  public func onCancel(
    on context: some HandlerContext = .serialQueue,
    _ handler: @escaping @Sendable () -> Void
  ) -> Registration {
    cancelToken.future.addHandler(for: .cancelled, context.handlerPlace, handler)
  }

  /// Adds a handler that runs once if the future is cancelled, and is told the reason.
  ///
  /// - Parameters:
  ///   - context: Where it runs; by default on the private queue.
  ///   - handler: Gets the reason that the deciding call gave. For the rest see ``onCancel(on:_:)-(_,()->Void)``.
  /// - Returns: What takes the handler back. Dropping it changes nothing.
  @inlinable
  @discardableResult
  public func onCancel(
    on context: some HandlerContext = .serialQueue,
    _ handler: @escaping @Sendable (any Error) -> Void
  ) -> Registration {
    cancelToken.future.addHandlerOfReason(context.handlerPlace, handler)
  }

  /// Adds a handler that runs once, whichever the outcome is.
  ///
  /// For all else see ``onComplete(on:_:)-(_,()->Void)``.
  ///
  /// - Parameters:
  ///   - context: Where it runs; by default on the private queue.
  ///   - handler: Released when it has run or was taken back.
  /// - Returns: What takes the handler back. Dropping it changes nothing.
  @inlinable
  @discardableResult
  public func onCleanUp(
    on context: some HandlerContext = .serialQueue,
    _ handler: @escaping @Sendable () -> Void
  ) -> Registration {
    cancelToken.future.addHandler(for: nil, context.handlerPlace, handler)
  }

  /// Adds a handler that runs once, and is told which the outcome is.
  ///
  /// - Parameters:
  ///   - context: Where it runs; by default on the private queue.
  ///   - handler: Gets the outcome; the failure of a value future is a completion. For the rest see
  ///     ``onCleanUp(on:_:)-(_,()->Void)``.
  /// - Returns: What takes the handler back. Dropping it changes nothing.
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
  /// Like the same method with the context `.main`.
  ///
  /// - Parameters:
  ///   - actor: `MainActor.shared`.
  ///   - handler: Runs isolated to the main actor.
  /// - Returns: What takes the handler back. Dropping it changes nothing.
  @discardableResult
  public func onComplete(on actor: MainActor, _ handler: @escaping @MainActor @Sendable () -> Void) -> Registration {
    onComplete(on: .main) { MainActor.assumeIsolated(handler) }
  }

  /// Adds a handler that runs once on the main actor if the future is cancelled.
  ///
  /// Like the same method with the context `.main`.
  ///
  /// - Parameters:
  ///   - actor: `MainActor.shared`.
  ///   - handler: Runs isolated to the main actor.
  /// - Returns: What takes the handler back. Dropping it changes nothing.
  @discardableResult
  public func onCancel(on actor: MainActor, _ handler: @escaping @MainActor @Sendable () -> Void) -> Registration {
    onCancel(on: .main) { MainActor.assumeIsolated(handler) }
  }

  /// Adds a handler that runs once on the main actor if the future is cancelled, and is told the reason.
  ///
  /// Like the same method with the context `.main`.
  ///
  /// - Parameters:
  ///   - actor: `MainActor.shared`.
  ///   - handler: Runs isolated to the main actor, with the reason.
  /// - Returns: What takes the handler back. Dropping it changes nothing.
  @discardableResult
  public func onCancel(
    on actor: MainActor,
    _ handler: @escaping @MainActor @Sendable (any Error) -> Void
  ) -> Registration {
    onCancel(on: .main) { reason in MainActor.assumeIsolated { handler(reason) } }
  }

  /// Adds a handler that runs once on the main actor, whichever the outcome is.
  ///
  /// Like the same method with the context `.main`.
  ///
  /// - Parameters:
  ///   - actor: `MainActor.shared`.
  ///   - handler: Runs isolated to the main actor.
  /// - Returns: What takes the handler back. Dropping it changes nothing.
  @discardableResult
  public func onCleanUp(on actor: MainActor, _ handler: @escaping @MainActor @Sendable () -> Void) -> Registration {
    onCleanUp(on: .main) { MainActor.assumeIsolated(handler) }
  }

  /// Adds a handler that runs once on the main actor, and is told which the outcome is.
  ///
  /// Like the same method with the context `.main`.
  ///
  /// - Parameters:
  ///   - actor: `MainActor.shared`.
  ///   - handler: Runs isolated to the main actor, with the outcome.
  /// - Returns: What takes the handler back. Dropping it changes nothing.
  @discardableResult
  public func onCleanUp(
    on actor: MainActor,
    _ handler: @escaping @MainActor @Sendable (Future.Outcome) -> Void
  ) -> Registration {
    onCleanUp(on: .main) { outcome in MainActor.assumeIsolated { handler(outcome) } }
  }
}
