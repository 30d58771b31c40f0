// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// A recipe: copy this file.

public import RaceFreeFuture
public import ServiceLifecycle

/// A scope as a service of swift-service-lifecycle, which is shut down with its group.
///
/// A graceful shutdown of the group stops the scope: `stopToken` is cancelled, and the work that is running has
/// `gracefulInterval` to finish. Then, or when the group cancels its services, the scope is cancelled, and clean-up has
/// `cancellingInterval`. The service also ends when the scope is stopped or cancelled by itself.
///
/// A group shuts its services down from the last to the first. So put the scope of a server's requests behind the
/// server, which otherwise waits for them without an end:
///
/// ```swift
/// let service = ScopeService(requests, gracefully: .seconds(10), cancelling: .seconds(5)) { logger.critical("\($0)") }
/// let group = ServiceGroup(services: [app, service], gracefulShutdownSignals: [.sigterm], logger: logger)
/// try await group.run()
/// ```
public struct ScopeService: Service {
  /// The scope, to which the program adds the work of the service.
  public let scope: Scope
  private let gracefulInterval: Duration
  private let cancellingInterval: Duration
  private let onStuck: @Sendable (DrainError) -> Void

  /// Makes a service of a scope.
  ///
  /// - Parameters:
  ///   - scope: The scope.
  ///   - gracefulInterval: The time in which work may finish after a graceful shutdown has begun.
  ///   - cancellingInterval: The time in which cancelled work may end.
  ///   - onStuck: Receives the error that names what hasn't ended then. A group tells nobody of it before all services
  ///     have ended, and the stuck work may keep one of them from that.
  public init(
    _ scope: Scope,
    gracefully gracefulInterval: Duration,
    cancelling cancellingInterval: Duration,
    onStuck: @escaping @Sendable (DrainError) -> Void = { _ in }
  ) {
    self.scope = scope
    self.gracefulInterval = gracefulInterval
    self.cancellingInterval = cancellingInterval
    self.onStuck = onStuck
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
      do {
        try await Task { try await scope.shutDown(gracefully: gracefulInterval, cancelling: cancellingInterval) }.value
      } catch let error as DrainError {
        onStuck(error)
        throw error
      }
    } onCancel: {
      scope.cancel()
    }
  }
}
