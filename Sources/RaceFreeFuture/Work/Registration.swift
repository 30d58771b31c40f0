// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The registration of a handler, timer or the like with a future, to unregister it.
///
/// Releasing a registration has no effect: the handler stays registered. A registration keeps the future alive; a
/// handler that keeps its own registration therefore keeps itself alive until the outcome.
public struct Registration: Sendable {
  private let future: Future?
  /// The node of the handler; nil for the handler without a node.
  private let node: HandlerNode?

  init(_ future: Future, _ node: HandlerNode?) {
    self.future = future
    self.node = node
  }

  private init() {
    future = nil
    node = nil
  }

  /// A registration of a handler that will not run: there is nothing to unregister.
  static let none = Registration()

  /// Unregisters the handler, before or after the outcome, unless it has started.
  ///
  /// If the handler belongs to the outcome, exactly one of "this returned true" and "the handler ran" holds. The handler is
  /// released before this returns or, after the outcome, perhaps a little later, by the thread that dispatches the
  /// handlers. This can be called from any thread, even inside handlers, and never blocks. O(1) for any number of handlers.
  ///
  /// - Returns: True if this call kept the handler from ever running; false if it has started, was unregistered
  ///   earlier, or did not belong to the outcome.
  @discardableResult
  public func unregister() -> Bool {
    guard let future else { return false }
    if let node {
      return node.revoke() && future.process { $0.remove(node) }
    }
    // The handler is released here, outside of the lock.
    return future.process { $0.removeFromSlot() }.isRemoved
  }

  /// Unregisters the handler like ``unregister()``; if it is running on another thread, blocks until it has returned.
  ///
  /// So once this has returned, the handler is not running and never will. A call from inside the handler itself
  /// doesn't wait. As this waits for user code, don't call it while holding a resource that the handler needs.
  ///
  /// The semantics are those of .NET's `CancellationTokenRegistration.Dispose`.
  ///
  /// - Returns: True if this call kept the handler from ever running.
  @available(*, noasync, message: "it may block the thread; use unregister()")
  @discardableResult
  public func unregisterAndWait() -> Bool {
    if unregister() { return true }
    if let node {
      node.waitUntilReturned()
    } else if let future {
      HandlerWaits.wait(for: ObjectIdentifier(future)) { future.process { $0.awaitSlot(by: .current) } }
    }
    return false
  }
}

// MARK: - Describe

extension Registration: CustomReflectable {
  /// The future that it was registered with, for debuggers, `dump` and failed expectations.
  ///
  /// A snapshot; the format may change.
  public var customMirror: Mirror {
    Mirror(self, children: ["future": future.map { "\($0)" } ?? "none"], displayStyle: .struct)
  }
}
