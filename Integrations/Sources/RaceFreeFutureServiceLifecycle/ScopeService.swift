// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

public import RaceFreeFuture
public import ServiceLifecycle

/// A scope as a service of swift-service-lifecycle, which is shut down with its group.
///
/// A graceful shutdown of the group stops the scope: ``Scope/stopToken`` is cancelled, and the work that is running has
/// `gracefulInterval` to finish. Then, or when the group cancels its services, the scope is cancelled, and clean-up has
/// `cancellingInterval`. The service also ends when the scope is stopped or cancelled by itself.
public struct ScopeService: Service {
  /// The scope, to which the program adds the work of the service.
  public let scope: Scope
  private let gracefulInterval: Duration
  private let cancellingInterval: Duration

  /// Makes a service of a scope.
  ///
  /// - Parameters:
  ///   - scope: The scope.
  ///   - gracefulInterval: The time in which work may finish after a graceful shutdown has begun.
  ///   - cancellingInterval: The time in which cancelled work may end.
  public init(_ scope: Scope, gracefully gracefulInterval: Duration, cancelling cancellingInterval: Duration) {
    self.scope = scope
    self.gracefulInterval = gracefulInterval
    self.cancellingInterval = cancellingInterval
  }

  /// Runs until everything in the scope has ended.
  ///
  /// Its group calls it.
  ///
  /// - Throws: `DrainError`, which names what is stuck.
  public func run() async throws {
    try await withTaskCancellationHandler {
      // A shutdown, the stop of the scope, and cancellation end this: each is followed by the same steps. The scope is
      // stopped here and not in a shutdown handler, because those run while the group holds a lock.
      try? await scope.stopToken.run { try await gracefulShutdown() }
      // In a task of its own: clean-up is also waited for after this one was cancelled.
      try await Task { try await scope.shutDown(gracefully: gracefulInterval, cancelling: cancellingInterval) }.value
    } onCancel: {
      scope.cancel()
    }
  }
}
