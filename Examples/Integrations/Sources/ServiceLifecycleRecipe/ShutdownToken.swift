// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// A recipe: copy this file.

public import RaceFreeFuture
internal import ServiceLifecycle

/// Runs a service with a token that is cancelled when the graceful shutdown begins.
///
/// ```swift
/// struct Importer: Service {
///   func run() async throws {
///     try await withShutdownToken { shutdown in
///       for try await file in files.until(shutdown) { try await load(file) }
///     }
///   }
/// }
/// ```
///
/// The token is cancelled by a task: a handler of the graceful shutdown would run while the group holds a lock, and so
/// would those of the token.
///
/// - Parameter body: The work of the service.
/// - Returns: The value returned by the closure.
/// - Throws: The error thrown by the closure.
public func withShutdownToken<Value: Sendable>(
  _ body: @escaping @Sendable (CancelToken) async throws -> Value
) async throws -> Value {
  let shutdown = Future(label: "graceful shutdown")
  // Cancelled at the end of this function, if it still waits.
  async let _: Void = {
    try await gracefulShutdown()
    shutdown.cancel()
  }()
  return try await body(shutdown.cancelToken)
}
