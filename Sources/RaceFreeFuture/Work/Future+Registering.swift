// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

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
    if case .inline = place.kind, !Hooks.isOn(.context), process({ $0.addInSlot(trigger, handler) }) {
      return Registration(self, nil)
    }
    return add(trigger, place.kind, .plain(handler))
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
  func add(_ trigger: Outcome?, _ context: HandlerPlace.Kind, _ work: consuming HandlerWork) -> Registration {
    // Too late: it can never run.
    if let trigger, let decidedOutcome, trigger != decidedOutcome { return .none }
    let node = HandlerNode(trigger, context, Hooks.isOn(.context) ? Context.carried(work) : work)
    guard register(node) else {
      // Nothing else keeps it: it is released here, outside of the lock.
      node.revoke()
      return .none
    }
    return Registration(self, node)
  }

  /// Registers a node or, after the outcome, dispatches it; false if it doesn't belong to the outcome.
  @inline(__always)
  func register(_ node: HandlerNode) -> Bool {
    switch process({ $0.add(node) }) {
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
