// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// MARK: - Observe

extension CancelToken {
  /// Adds a handler that runs once if the future completes; see ``Future/onComplete(on:_:)-(HandlerContext,_)``.
  ///
  /// - Parameters:
  ///   - context: Where it runs; by default on the private queue.
  ///   - handler: Released at the outcome.
  /// - Returns: What takes the handler back. Dropping it changes nothing.
  @discardableResult
  public func onComplete(
    on context: HandlerContext = .serialQueue,
    _ handler: @escaping @Sendable () -> Void
  ) -> Registration {
    future.onComplete(on: context, handler)
  }

  /// Adds a handler that runs once if the future is cancelled; see
  /// ``Future/onCancel(on:_:)-(HandlerContext,()->Void)``.
  ///
  /// - Parameters:
  ///   - context: Where it runs; by default on the private queue.
  ///   - handler: Released at the outcome.
  /// - Returns: What takes the handler back. Dropping it changes nothing.
  @discardableResult
  public func onCancel(
    on context: HandlerContext = .serialQueue,
    _ handler: @escaping @Sendable () -> Void
  ) -> Registration {
    future.onCancel(on: context, handler)
  }

  /// Adds a handler that runs once if the future is cancelled, and is told why.
  ///
  /// - Parameters:
  ///   - context: Where it runs; by default on the private queue.
  ///   - handler: Gets the reason. Released at the outcome.
  /// - Returns: What takes the handler back. Dropping it changes nothing.
  @discardableResult
  public func onCancel(
    on context: HandlerContext = .serialQueue,
    _ handler: @escaping @Sendable (any Error) -> Void
  ) -> Registration {
    future.onCancel(on: context, handler)
  }

  /// Adds a handler that runs once, whichever the outcome is; see
  /// ``Future/onCleanUp(on:_:)-(HandlerContext,()->Void)``.
  ///
  /// - Parameters:
  ///   - context: Where it runs; by default on the private queue.
  ///   - handler: Released at the outcome.
  /// - Returns: What takes the handler back. Dropping it changes nothing.
  @discardableResult
  public func onCleanUp(
    on context: HandlerContext = .serialQueue,
    _ handler: @escaping @Sendable () -> Void
  ) -> Registration {
    future.onCleanUp(on: context, handler)
  }

  /// Adds a handler that runs once, and is told which the outcome is.
  ///
  /// - Parameters:
  ///   - context: Where it runs; by default on the private queue.
  ///   - handler: Gets the outcome. Released at the outcome.
  /// - Returns: What takes the handler back. Dropping it changes nothing.
  @discardableResult
  public func onCleanUp(
    on context: HandlerContext = .serialQueue,
    _ handler: @escaping @Sendable (Future.Outcome) -> Void
  ) -> Registration {
    future.onCleanUp(on: context, handler)
  }
}

// MARK: - Observe on the main actor

extension CancelToken {
  /// Adds a handler that runs once on the main actor if the future completes.
  ///
  /// - Parameters:
  ///   - actor: `MainActor.shared`.
  ///   - handler: Runs isolated to the main actor.
  /// - Returns: What takes the handler back. Dropping it changes nothing.
  @discardableResult
  public func onComplete(on actor: MainActor, _ handler: @escaping @MainActor @Sendable () -> Void) -> Registration {
    future.onComplete(on: actor, handler)
  }

  /// Adds a handler that runs once on the main actor if the future is cancelled.
  ///
  /// - Parameters:
  ///   - actor: `MainActor.shared`.
  ///   - handler: Runs isolated to the main actor.
  /// - Returns: What takes the handler back. Dropping it changes nothing.
  @discardableResult
  public func onCancel(on actor: MainActor, _ handler: @escaping @MainActor @Sendable () -> Void) -> Registration {
    future.onCancel(on: actor, handler)
  }

  /// Adds a handler that runs once on the main actor if the future is cancelled, and is told why.
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
    future.onCancel(on: actor, handler)
  }

  /// Adds a handler that runs once on the main actor, whichever the outcome is.
  ///
  /// - Parameters:
  ///   - actor: `MainActor.shared`.
  ///   - handler: Runs isolated to the main actor.
  /// - Returns: What takes the handler back. Dropping it changes nothing.
  @discardableResult
  public func onCleanUp(on actor: MainActor, _ handler: @escaping @MainActor @Sendable () -> Void) -> Registration {
    future.onCleanUp(on: actor, handler)
  }

  /// Adds a handler that runs once on the main actor, and is told which the outcome is.
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
    future.onCleanUp(on: actor, handler)
  }
}
