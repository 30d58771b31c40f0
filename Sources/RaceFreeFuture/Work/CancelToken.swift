// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// A handle to work that its holder doesn't own: everything a future offers except completing it.
///
/// Return it from code that does the work. With a token a client can cancel, observe, inspect and await, as described
/// in ``CancellableWork``, but the compiler prevents it from completing work that isn't its own. Tokens are equal if
/// they belong to the same future. A token keeps its future alive.
@frozen
public struct CancelToken: CancellableWork, Hashable {
  @usableFromInline let future: Future

  @inlinable
  init(future: Future) { self.future = future }

  /// A token that can't be cancelled and keeps no handlers: a default for parameters.
  ///
  /// Its handlers are released at once, and work attached to it lives as long as you keep it. Its `perform` blocks run
  /// on a global queue or, where the caller waits, in place: as the state never changes, they need no turn, and don't
  /// wait for each other. A task that awaits its ``CancellableWork/value`` waits until the task is cancelled, and for
  /// its ``CancellableWork/outcome`` forever. A blocking ``CancellableWork/wait()`` without a timeout stops the
  /// program.
  public static let never = CancelToken(
    future: Future(label: "never", site: CreationSite(#fileID, #line), isResolvable: false)
  )

  /// The token itself.
  @inlinable
  public var cancelToken: CancelToken { self }

  /// The same token, for code that doesn't keep the future; nil after its release.
  package var weak: @Sendable () -> CancelToken? {
    { [weak future] in future.map { CancelToken(future: $0) } }
  }

  /// Returns a Boolean value that indicates whether two tokens belong to the same future.
  public static func == (left: CancelToken, right: CancelToken) -> Bool {
    left.future === right.future
  }

  /// Hashes the identity of the future.
  ///
  /// - Parameter hasher: The hasher to use.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(future))
  }
}

extension Future: CancellableWork {
  /// The token for clients: everything but completing.
  @inlinable
  public var cancelToken: CancelToken { CancelToken(future: self) }
}

extension CancelToken: CustomStringConvertible, CustomReflectable {}
