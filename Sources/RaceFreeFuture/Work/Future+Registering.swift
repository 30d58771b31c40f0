// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Dispatch

// MARK: - Register handlers

// Called by `CancellableWork`.
extension Future {
  /// Registers a user's handler without an argument; a trigger of nil means both outcomes.
  @usableFromInline
  func addHandler(
    for trigger: Outcome?,
    _ place: HandlerPlace,
    _ handler: @escaping @Sendable () -> Void
  ) -> Registration {
    add(trigger, place.kind, .plain(handler))
  }

  /// Registers a user's handler that takes the reason of a cancellation.
  @usableFromInline
  func addHandlerOfReason(_ place: HandlerPlace, _ handler: @escaping @Sendable (any Error) -> Void) -> Registration {
    add(
      .cancelled,
      place.kind,
      .detailed { resolution in
        if let reason = resolution.reason { handler(reason) }
      }
    )
  }

  /// Registers a user's handler that takes the outcome.
  @usableFromInline
  func addHandlerOfOutcome(_ place: HandlerPlace, _ handler: @escaping @Sendable (Outcome) -> Void) -> Registration {
    add(nil, place.kind, .detailed { resolution in handler(resolution.outcome) })
  }
}

extension Future {
  /// Registers a user's handler.
  func add(_ trigger: Outcome?, _ place: HandlerPlace.Kind, _ work: consuming HandlerWork) -> Registration {
    // Too late: it can never run.
    if let trigger, let decidedOutcome, trigger != decidedOutcome { return .none }
    var work: HandlerWork? = Hooks.isOn(.context) ? Context.carried(work) : work
    let (handler, addition) = process { machine in
      guard let work = work.take() else { return (HandlerID.first, FutureMachine.Addition.drop) }
      return machine.add(trigger, place, work)
    }
    guard case .node(let node) = handler else { return Registration(self, handler) }
    // Otherwise it is released here, outside of the lock.
    guard finish(addition, of: node) else { return .none }
    return Registration(self, handler)
  }

  /// Registers a node or, after the outcome, dispatches it; false if it doesn't belong to the outcome.
  @inline(__always)
  func register(_ node: HandlerNode) -> Bool { finish(process { $0.add(node) }, of: node) }

  /// Registers the node of a task that is suspended; false if `unpark` was called earlier.
  func park(_ node: HandlerNode, _ continuation: UnsafeContinuation<Resolution?, Never>) -> Bool {
    guard let addition = process({ unsafe $0.park(node, continuation) }) else { return false }
    _ = finish(addition, of: node)
    return true
  }

  @inline(__always)
  private func finish(_ addition: FutureMachine.Addition, of node: HandlerNode) -> Bool {
    switch addition {
    case .keep:
      return true
    case .dispatch(let resolution):
      dispatchLate(node, resolution)
      return true
    case .open:
      return registerOpened(node)
    case .drop:
      return false
    }
  }

  /// Registers a node while the scope around is open for this one.
  private func registerOpened(_ node: HandlerNode) -> Bool {
    keepOpen()
    defer { letGo() }
    return register(node)
  }

  /// Unregisters a handler, and releases it outside of the lock; true if this call kept it from ever running.
  func unregister(_ handler: HandlerID) -> Bool {
    var isKept = false
    let work = process { machine in
      isKept = machine.mayRun(handler)
      return machine.unregister(handler)
    }
    return withExtendedLifetime(work) { $0 != nil && isKept }
  }

  /// Blocks until a handler, if it is running on another thread, has returned.
  func waitForReturn(of handler: HandlerID) {
    Trampoline.runBeforeBlocking()
    let group = DispatchGroup()
    process { $0.awaitReturn(of: handler, by: .current, group) }?.wait()
  }

  fileprivate func whenDelivered(_ body: @escaping @Sendable () -> Void) {
    let node = HandlerNode(role: .awaitsDelivery) { _ in body() }
    awaitEnd(node)
  }
}

extension CancellableWork {
  /// Runs a closure once the handlers of the outcome have been dispatched and the inline ones have returned.
  ///
  /// It runs on the thread that dispatched them or, if that is already done, on the calling one, before this returns.
  package func onDelivered(_ body: @escaping @Sendable () -> Void) { cancelToken.future.whenDelivered(body) }
}
