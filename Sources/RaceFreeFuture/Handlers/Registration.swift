// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// A handler, timer or other thing that was registered with a future, so that it can be taken back.
///
/// Dropping a registration changes nothing: the handler stays registered. A registration keeps the future alive; a
/// handler that keeps its own registration therefore keeps itself, until the outcome.
public struct Registration: Sendable {
  private let future: Future?
  /// Nil: it is the handler without a node.
  private let node: HandlerNode?

  init(_ future: Future, _ node: HandlerNode?) {
    self.future = future
    self.node = node
  }

  private init() {
    future = nil
    node = nil
  }

  /// A registration of something that will not run: there is nothing to take back.
  static let none = Registration()

  /// Takes the handler back, before or after the outcome, as long as it has not started.
  ///
  /// Of "this returned true" and "the handler ran" exactly one holds. The handler is released before this returns; once
  /// the outcome is there, perhaps a little later, by the thread that hands the handlers over. Callable from any thread,
  /// also from inside handlers; never blocks. O(1) whatever the number of handlers.
  ///
  /// - Returns: true if this call kept the handler from ever running; false if it has started, was taken back before,
  ///   or did not belong to the outcome.
  @discardableResult
  public func unregister() -> Bool {
    guard let future else { return false }
    if let node {
      return node.revoke() && future.process { $0.remove(node) }
    }
    // The handler is released here, outside of the lock.
    return future.process { $0.removeFromSlot() }.isRemoved
  }

  /// Takes the handler back like ``unregister()``; if it is running on another thread, blocks until it has returned.
  ///
  /// So once this has returned, the handler is not running and never will. Called from inside the handler itself it
  /// doesn't wait. It waits for user code: don't call it while holding something that the handler needs.
  ///
  /// The semantics are those of .NET's `CancellationTokenRegistration.Dispose`.
  ///
  /// - Returns: true if this call kept the handler from ever running.
  @available(*, noasync, message: "it may block the thread; use unregister()")
  @discardableResult
  public func unregisterAndWait() -> Bool {
    if unregister() { return true }
    if let node {
      node.waitUntilReturned()
    } else if let future {
      HandlerWaits.wait(for: ObjectIdentifier(future)) { future.process { $0.handlers.awaitSlot() } }
    }
    return false
  }
}

// MARK: - Describe

extension Registration: CustomReflectable {
  /// The future with which it was registered: for debuggers, `dump` and failed expectations.
  ///
  /// A snapshot of one moment; its form may change.
  public var customMirror: Mirror {
    Mirror(self, children: ["future": future.map { "\($0)" } ?? "none"], displayStyle: .struct)
  }
}
