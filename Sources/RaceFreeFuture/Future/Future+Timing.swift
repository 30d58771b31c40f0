// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// MARK: - Time out

extension Future {
  /// Cancels the future when the time has passed.
  @usableFromInline
  func setTimer(_ interval: Duration, _ reason: (any Error)?) -> Registration {
    guard isPending, !isUnresolvable, interval.passes else { return .none }
    let reason = reason ?? TimeoutError(interval: interval, label: name)
    guard interval > .zero else {
      cancel(throwing: reason)
      return .none
    }
    let timer = Timer(after: interval, for: self)
    let node = HandlerNode(role: .timer) { _, _ in timer.stop() }
    // The timer holds the future, the future holds the node and the node the timer. Whoever comes first of outcome,
    // `unregister()` and the timer itself wins the node's claim and releases what it held; that stops the timer, which
    // releases the closure. When the timer wins, its node counts as running until the cancellation has been made: so
    // `unregisterAndWait()` waits for that.
    timer.start { [self] in cancel(node, throwing: reason) }
    _ = register(node)
    // Fired meanwhile, it would stand in the list in vain. While it fires it stays there: see `WaitGraph`.
    if node.isOver { _ = process { $0.remove(node) } }
    return Registration(self, node)
  }
}
