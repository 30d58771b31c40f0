// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import RaceFreeFuture

/// A variable that closures of all kinds can share, for what a scenario has to remember.
///
/// Handlers of futures are `@Sendable`, so that they can't use a local `var`. Reading and writing are each safe from
/// any thread; an update of several steps isn't one step.
public final class Variable<Value: Sendable>: Sendable {
  private let content: Locked<Value>

  /// Makes a variable.
  ///
  /// - Parameter value: Its first value.
  public init(_ value: Value) { content = Locked(value) }

  /// What it holds.
  public var value: Value {
    get { content.withLock { $0 } }
    set {
      // The old value is released after the lock.
      _ = content.withLock { content in
        defer { content = newValue }
        return content
      }
    }
  }
}
