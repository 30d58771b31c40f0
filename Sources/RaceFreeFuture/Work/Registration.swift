// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The registration of a handler, timer or the like with a future, to unregister it.
///
/// Releasing a registration has no effect: the handler stays registered. A registration keeps the future alive; a
/// handler that keeps its own registration therefore keeps itself alive until the outcome.
public struct Registration: Sendable {
  /// The future and the handler; nil for a handler that will not run: there is nothing to unregister.
  private let registered: (future: Future, handler: HandlerID)?

  init(_ future: Future, _ handler: HandlerID) { registered = (future, handler) }

  private init() { registered = nil }

  /// A registration of a handler that will not run.
  static let none = Registration()

  /// Unregisters the handler, before or after the outcome, unless it has started.
  ///
  /// If the handler belongs to the outcome, exactly one of "this returned true" and "the handler ran" holds. The handler is
  /// released before this returns. This can be called from any thread, even inside handlers, and never blocks. O(1) for any
  /// number of handlers.
  ///
  /// - Returns: True if this call kept the handler from ever running; false if it has started, was unregistered
  ///   earlier, or did not belong to the outcome.
  @discardableResult
  public func unregister() -> Bool {
    guard let (future, handler) = registered else { return false }
    return future.unregister(handler)
  }

  /// Unregisters the handler like ``unregister()``; if it is running on another thread, blocks until it has returned.
  ///
  /// After the return, the handler is not running and never will. A call from inside the handler itself doesn't wait.
  /// Don't call this while holding a resource that the handler needs.
  ///
  /// The semantics are those of .NET's `CancellationTokenRegistration.Dispose`.
  ///
  /// - Returns: True if this call kept the handler from ever running.
  @available(*, noasync, message: "it may block the thread; use unregister()")
  @discardableResult
  public func unregisterAndWait() -> Bool {
    guard let (future, handler) = registered else { return false }
    if future.unregister(handler) { return true }
    future.waitForReturn(of: handler)
    return false
  }
}

// MARK: - Describe

extension Registration: CustomReflectable {
  /// The future that it was registered with, for debuggers, `dump` and failed expectations.
  ///
  /// A snapshot; the format may change.
  public var customMirror: Mirror {
    Mirror(self, children: ["future": registered.map { "\($0.future)" } ?? "none"], displayStyle: .struct)
  }
}
