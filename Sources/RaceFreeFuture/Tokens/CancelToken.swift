// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// What a worker hands out: everything a future offers except completing it.
///
/// With a token a client can cancel, observe, inspect and await, but the compiler keeps it from completing work that
/// isn't its own. Tokens are equal if they belong to the same future. A token keeps its future alive.
///
/// Each method does what the method of the same name does on ``Future``, which says on what thread it runs and whether
/// it blocks.
public struct CancelToken: Sendable, Hashable {
  @usableFromInline let future: Future

  /// A token that can't be cancelled and keeps no handlers: a default for parameters.
  ///
  /// Its handlers are dropped at once, and what is attached to it lives as long as you keep it. `perform` blocks run,
  /// on a global queue or, where the caller waits, in place: as its state never changes they need no turn, and don't
  /// wait for each other. A task that awaits its ``value`` waits until it is cancelled, one that awaits its ``outcome``
  /// for ever, and a blocking ``wait()`` without a time-out stops the program.
  public static let never = CancelToken(
    future: Future(label: "never", site: CreationSite(#fileID, #line), isResolvable: false)
  )

  /// Whether two tokens belong to the same future.
  public static func == (left: CancelToken, right: CancelToken) -> Bool {
    left.future === right.future
  }

  /// Hashes the identity of the future.
  ///
  /// - Parameter hasher: What takes in the identity.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(future))
  }
}

extension Future {
  /// The token to hand out: everything but completing.
  public var cancelToken: CancelToken { CancelToken(future: self) }

  /// A token that can't be cancelled; the same as ``CancelToken/never``.
  public static let never: CancelToken = .never
}

extension CancelToken: CustomStringConvertible, CustomReflectable {
  /// The description of its future; for people.
  public var description: String { future.description }

  /// The mirror of its future; for people.
  public var customMirror: Mirror { future.mirror(of: self) }
}

// MARK: - Resolve

extension CancelToken {
  /// Cancels the future; see ``Future/cancel(throwing:)``.
  ///
  /// - Parameter reason: Why.
  public func cancel(throwing reason: any Error = CancellationError()) { future.cancel(throwing: reason) }

  /// Adds a cancellation handler, then cancels; see ``Future/cancel(_:)``.
  ///
  /// - Parameter handler: Runs once, on the private queue, if the outcome is a cancellation.
  public func cancel(_ handler: @escaping @Sendable () -> Void) { future.cancel(handler) }

  /// Cancels the future and tells whether this very call did it; see ``Future/tryCancel(throwing:)``.
  ///
  /// - Parameter reason: Why.
  /// - Returns: Whether this call decided the outcome.
  @discardableResult
  public func tryCancel(throwing reason: any Error = CancellationError()) -> Bool { future.tryCancel(throwing: reason) }
}
