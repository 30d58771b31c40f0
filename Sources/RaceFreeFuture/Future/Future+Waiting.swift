// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

public import Dispatch

// MARK: - Wait

extension Future {
  /// Blocks the calling thread until the future is resolved.
  ///
  /// Returns as soon as the outcome is there, before handlers run: to wait for them, too, await ``handlersFinished``. A
  /// wait that could never end stops the program with a message: one for a pending future on its own private queue, and
  /// one for ``CancelToken/never``. Don't block a thread of a global queue for work that needs the same pool.
  ///
  /// - Returns: The outcome.
  @available(*, noasync, message: "it blocks the thread; await `outcome` or `value`")
  public func wait() -> Outcome {
    if let decidedOutcome { return decidedOutcome }
    if holdsTurn {
      fatalError("wait() would never end: it was called on the private queue of the future it waits for, \(self)")
    }
    if isUnresolvable { fatalError("wait() would never end: nothing can resolve \(self)") }
    if conductedQueue != nil { stopConductedWait("wait()") }
    // What was left to this very thread may be what it waits for.
    Trampoline.runWaiting()
    let semaphore = DispatchSemaphore(value: 0)
    WaitGraph.wait(for: self) {
      if register(HandlerNode(role: .waiter) { _, _ in semaphore.signal() }) { semaphore.wait() }
    }
    return outcomeOfResolved
  }

  /// Blocks the calling thread until the future is resolved, but not longer than the given time.
  ///
  /// Like ``wait()``, but it always ends, and leaves nothing behind at the future when it gives up.
  ///
  /// - Parameter timeout: How long, measured as `DispatchTime` does. Zero or less doesn't wait; `.never` waits like
  ///   ``wait()``.
  /// - Returns: The outcome; nil if the future is still pending.
  @available(*, noasync, message: "it blocks the thread; await `outcome` or `value`")
  public func wait(timeout: DispatchTimeInterval) -> Outcome? {
    if let decidedOutcome { return decidedOutcome }
    if timeout == .never { return wait() }
    if conductedQueue != nil, DispatchTime.now() + timeout > DispatchTime.now() { stopConductedWait("wait(timeout:)") }
    Trampoline.runWaiting()
    WorkFrame.runDeferred()
    let semaphore = DispatchSemaphore(value: 0)
    let node = HandlerNode(role: .waiter) { _, _ in semaphore.signal() }
    _ = register(node)
    if semaphore.wait(timeout: .now() + timeout) == .success { return outcomeOfResolved }
    Registration(self, node).remove()
    return decidedOutcome
  }

  private func stopConductedWait(_ call: String) -> Never {
    fatalError(
      """
      \(call) would never end: it blocks the one thread on which the test that conducts \(self) runs everything; \
      await the future instead, or resolve it before
      """
    )
  }

  private var outcomeOfResolved: Outcome {
    guard let decidedOutcome else { fatalError("a waiter was woken by a future without an outcome: \(self)") }
    return decidedOutcome
  }
}
