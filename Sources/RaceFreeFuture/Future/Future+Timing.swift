// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

public import Dispatch

// MARK: - Time out

extension Future {
  /// Cancels the future when the given time has passed, unless it is resolved before.
  ///
  /// The timer keeps the future alive until it fires; it is disarmed and released at the outcome. When it fires it
  /// cancels on a thread of the global queue, so inline handlers run there. Several timers may be set; the first one
  /// that fires wins.
  ///
  /// - Parameters:
  ///   - interval: How long, measured as `DispatchTime` does: not while the machine sleeps. Zero or less: cancelled at
  ///     once, on the calling thread. `.never`: no timer is set.
  ///   - reason: Why; by default a ``TimeoutError`` with the interval and the label.
  /// - Returns: What takes the timer back: ``Registration/remove()`` returns true if the call kept it from firing. When
  ///   ``Registration/removeAndWait()`` has returned false, the timer's cancellation has been made: the future is
  ///   resolved, or will be behind the `perform` block that is queued.
  @discardableResult
  public func cancel(after interval: DispatchTimeInterval, throwing reason: (any Error)? = nil) -> Registration {
    guard interval != .never, isPending, !isUnresolvable else { return .none }
    let reason = reason ?? TimeoutError(interval: interval, label: name)
    let now = DispatchTime.now()
    guard now + interval > now else {
      cancel(throwing: reason)
      return .none
    }
    let timer = Timer(after: interval, for: self)
    let node = HandlerNode(role: .timer) { _, _ in timer.stop() }
    // The timer holds the future, the future holds the node and the node the timer. Whoever comes first of outcome,
    // `remove()` and the timer itself wins the node's claim and releases what it held; that stops the timer, which
    // releases the closure. When the timer wins, its node counts as running until the cancellation has been made: so
    // `removeAndWait()` waits for that.
    timer.start { [self] in cancel(node, throwing: reason) }
    _ = register(node)
    // Fired meanwhile, it would stand in the list in vain. While it fires it stays there: see `WaitGraph`.
    if node.isOver { _ = process { $0.remove(node) } }
    return Registration(self, node)
  }
}
