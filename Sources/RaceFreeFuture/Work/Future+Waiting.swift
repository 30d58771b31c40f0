// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Dispatch

// MARK: - Wait

// Called by `CancellableWork`.
extension Future {
  /// Blocks until there is an outcome.
  @usableFromInline
  func waitForOutcome() -> Outcome {
    if let decidedOutcome { return decidedOutcome }
    if holdsTurn {
      fatalError("wait() would never end: it was called on the private queue of the future it waits for, \(self)")
    }
    if isUnresolvable { fatalError("wait() would never end: nothing can resolve \(self)") }
    checkThatThreadMayBlock("wait()")
    Trampoline.runBeforeBlocking()
    checkThatWaitIsNotForItself()
    let semaphore = DispatchSemaphore(value: 0)
    if register(HandlerNode(role: .waiter) { _ in semaphore.signal() }) { semaphore.wait() }
    return outcomeOfResolved
  }

  /// Stops the program if the calling thread, which is about to block, works for this future itself, and nothing that is
  /// linked to it could resolve it: then the wait would never end.
  private func checkThatWaitIsNotForItself() {
    let futures = Trampoline.futures
    guard let start = futures.firstIndex(where: { $0 === self }), process({ $0.isLeftToItsWork }) else { return }
    let cycle = (futures[start...] + [self]).map(\.name).joined(separator: " → ")
    fatalError("these futures wait for each other in a cycle: \(cycle)")
  }

  /// Blocks until there is an outcome or the timeout has passed.
  @usableFromInline
  func waitForOutcome(timeout: Duration) -> Outcome? {
    if let decidedOutcome { return decidedOutcome }
    if timeout > .zero { checkThatThreadMayBlock("wait(timeout:)") }
    Trampoline.runBeforeBlocking()
    let semaphore = DispatchSemaphore(value: 0)
    let node = HandlerNode(role: .waiter) { _ in semaphore.signal() }
    _ = register(node)
    let end = DispatchTime.after(timeout)
    // Where the semaphore waits by the time of day (on Linux), it may come back too early.
    repeat {
      if semaphore.wait(timeout: end) == .success { return outcomeOfResolved }
    } while DispatchTime.now() < end
    _ = unregister(.node(node))
    return decidedOutcome
  }

  private var outcomeOfResolved: Outcome {
    guard let decidedOutcome else { fatalError("a waiter was woken by a future without an outcome: \(self)") }
    return decidedOutcome
  }
}
