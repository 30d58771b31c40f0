// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// A handle to work that one doesn't own: everything a future offers except completing it.
///
/// It is what a worker hands out. With a token a client can cancel, observe, inspect and await, as ``CancellableWork``
/// says, but the compiler keeps it from completing work that isn't its own. Tokens are equal if they belong to the same
/// future. A token keeps its future alive.
@frozen
public struct CancelToken: CancellableWork, Hashable {
  @usableFromInline let future: Future

  @inlinable
  init(future: Future) { self.future = future }

  /// A token that can't be cancelled and keeps no handlers: a default for parameters.
  ///
  /// Its handlers are dropped at once, and what is attached to it lives as long as you keep it. `perform` blocks run,
  /// on a global queue or, where the caller waits, in place: as its state never changes they need no turn, and don't
  /// wait for each other. A task that awaits its ``CancellableWork/value`` waits until it is cancelled, one that awaits
  /// its ``CancellableWork/outcome`` for ever, and a blocking ``CancellableWork/wait()`` without a time-out stops the
  /// program.
  public static let never = CancelToken(
    future: Future(label: "never", site: CreationSite(#fileID, #line), isResolvable: false)
  )

  /// Itself.
  @inlinable
  public var cancelToken: CancelToken { self }

  /// The same token, for those who don't keep the future; nil when that has gone.
  package var weak: @Sendable () -> CancelToken? {
    { [weak future] in future.map { CancelToken(future: $0) } }
  }

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

extension Future: CancellableWork {
  /// The token to hand out: everything but completing.
  @inlinable
  public var cancelToken: CancelToken { CancelToken(future: self) }
}

extension CancelToken: CustomStringConvertible, CustomReflectable {
  /// The description of its future; for people.
  public var description: String { future.description }

  /// The mirror of its future; for people.
  public var customMirror: Mirror { future.mirror(of: self) }
}
