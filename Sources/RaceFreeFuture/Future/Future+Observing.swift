// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Dispatch

// MARK: - Observe

extension Future {
  /// Adds a handler that runs once if the future completes.
  ///
  /// Added after the completion it is dispatched at once: for a queue, behind those for a queue that were added before
  /// it; inline, before this returns. If the future is cancelled it never runs and is released. Callable from any
  /// thread and inside handlers; never blocks. O(1).
  ///
  /// - Parameters:
  ///   - context: Where it runs; by default on the private queue.
  ///   - handler: Released when it has run, was removed, or the outcome is the other one.
  /// - Returns: What takes the handler back. Dropping it changes nothing.
  @discardableResult
  public func onComplete(
    on context: HandlerContext = .serialQueue,
    _ handler: @escaping @Sendable () -> Void
  ) -> Registration {
    add(.completed, context, handler)
  }

  /// Adds a handler that runs once if the future is cancelled.
  ///
  /// Added after the cancellation it is dispatched at once: for a queue, behind those for a queue that were added
  /// before it; inline, before this returns. If the future completes it never runs and is released. Callable from any
  /// thread and inside handlers; never blocks. O(1).
  ///
  /// - Parameters:
  ///   - context: Where it runs; by default on the private queue.
  ///   - handler: Released when it has run, was removed, or the outcome is the other one.
  /// - Returns: What takes the handler back. Dropping it changes nothing.
  @discardableResult
  public func onCancel(
    on context: HandlerContext = .serialQueue,
    _ handler: @escaping @Sendable () -> Void
  ) -> Registration {
    add(.cancelled, context, handler)
  }

  /// Adds a handler that runs once if the future is cancelled, and is told why.
  ///
  /// - Parameters:
  ///   - context: Where it runs; by default on the private queue.
  ///   - handler: Gets the reason that the deciding call gave. For the rest see
  ///     ``onCancel(on:_:)-(HandlerContext,()->Void)``.
  /// - Returns: What takes the handler back. Dropping it changes nothing.
  @discardableResult
  public func onCancel(
    on context: HandlerContext = .serialQueue,
    _ handler: @escaping @Sendable (any Error) -> Void
  ) -> Registration {
    add(
      .cancelled,
      context,
      .detailed { resolution, _ in
        if let reason = resolution.reason { handler(reason) }
      }
    )
  }

  /// Adds a handler that runs once, whichever the outcome is.
  ///
  /// Added after the outcome it is dispatched at once: for a queue, behind those for a queue that were added before it;
  /// inline, before this returns. Callable from any thread and inside handlers; never blocks. O(1).
  ///
  /// - Parameters:
  ///   - context: Where it runs; by default on the private queue.
  ///   - handler: Released when it has run or was removed.
  /// - Returns: What takes the handler back. Dropping it changes nothing.
  @discardableResult
  public func onCleanUp(
    on context: HandlerContext = .serialQueue,
    _ handler: @escaping @Sendable () -> Void
  ) -> Registration {
    add(nil, context, handler)
  }

  /// Adds a handler that runs once, and is told which the outcome is.
  ///
  /// - Parameters:
  ///   - context: Where it runs; by default on the private queue.
  ///   - handler: Gets the outcome. For the rest see ``onCleanUp(on:_:)-(HandlerContext,()->Void)``.
  /// - Returns: What takes the handler back. Dropping it changes nothing.
  @discardableResult
  public func onCleanUp(
    on context: HandlerContext = .serialQueue,
    _ handler: @escaping @Sendable (Outcome) -> Void
  ) -> Registration {
    add(nil, context, .detailed { resolution, _ in handler(resolution.outcome) })
  }
}

// MARK: - Observe on the main actor

extension Future {
  /// Adds a handler that runs once on the main actor if the future completes.
  ///
  /// Like ``onComplete(on:_:)-(HandlerContext,_)`` with the context ``HandlerContext/main``.
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
  /// Like ``onCancel(on:_:)-(HandlerContext,()->Void)`` with the context ``HandlerContext/main``.
  ///
  /// - Parameters:
  ///   - actor: `MainActor.shared`.
  ///   - handler: Runs isolated to the main actor.
  /// - Returns: What takes the handler back. Dropping it changes nothing.
  @discardableResult
  public func onCancel(on actor: MainActor, _ handler: @escaping @MainActor @Sendable () -> Void) -> Registration {
    onCancel(on: .main) { MainActor.assumeIsolated(handler) }
  }

  /// Adds a handler that runs once on the main actor if the future is cancelled, and is told why.
  ///
  /// Like ``onCancel(on:_:)-(HandlerContext,(Error)->Void)`` with the context ``HandlerContext/main``.
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
  /// Like ``onCleanUp(on:_:)-(HandlerContext,()->Void)`` with the context ``HandlerContext/main``.
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
  /// Like ``onCleanUp(on:_:)-(HandlerContext,(Outcome)->Void)`` with the context ``HandlerContext/main``.
  ///
  /// - Parameters:
  ///   - actor: `MainActor.shared`.
  ///   - handler: Runs isolated to the main actor, with the outcome.
  /// - Returns: What takes the handler back. Dropping it changes nothing.
  @discardableResult
  public func onCleanUp(
    on actor: MainActor,
    _ handler: @escaping @MainActor @Sendable (Outcome) -> Void
  ) -> Registration {
    onCleanUp(on: .main) { outcome in MainActor.assumeIsolated { handler(outcome) } }
  }
}

extension Future {
  /// Registers a user's handler that takes nothing.
  func add(_ trigger: Outcome?, _ context: HandlerContext, _ handler: @escaping @Sendable () -> Void) -> Registration {
    if case .inline = context, process({ $0.addNodeless(trigger, handler) }) {
      return Registration(self, nil)
    }
    return add(trigger, context, .plain(handler))
  }

  /// Registers a user's handler.
  func add(_ trigger: Outcome?, _ context: HandlerContext, _ work: consuming HandlerWork) -> Registration {
    // Too late for it, for ever.
    if let trigger, let decidedOutcome, trigger != decidedOutcome { return .none }
    let node = HandlerNode(trigger, context, work)
    guard register(node) else {
      // It stays in nobody's hands: released here, outside of the lock.
      node.revoke()
      return .none
    }
    return Registration(self, node)
  }

  /// Registers a node or, after the outcome, dispatches it; false if it doesn't belong to the outcome.
  func register(_ node: HandlerNode) -> Bool {
    switch process({ $0.add(node) }) {
    case .keep:
      return true
    case .dispatch(let resolution):
      dispatchLate(node, resolution)
      return true
    case .drop:
      return false
    }
  }

  /// Runs a closure once the handlers of the outcome have been handed over, the inline ones have returned.
  ///
  /// It runs on the thread that has done that or, if it was done before, on the calling one, before this returns.
  package func onDelivered(_ body: @escaping @Sendable () -> Void) {
    let node = HandlerNode(role: .awaitsDelivery) { _, _ in body() }
    if let resolution = process({ $0.awaitFinish(node) }) { node.run(resolution, onPrivateQueue: holdsTurn) }
  }
}
