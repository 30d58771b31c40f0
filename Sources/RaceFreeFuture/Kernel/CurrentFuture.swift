// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The future whose token is current: a task-local value.
enum CurrentFuture {
  @TaskLocal private static var bound: Future?

  static var future: Future? { bound }

  /// Runs asynchronous code as part of a future's work.
  static func run<Result: Sendable>(
    in future: Future,
    _ body: @Sendable () async throws -> Result
  ) async rethrows -> Result {
    Hooks.set(.token)
    return try await $bound.withValue(future, operation: body)
  }

  /// Runs asynchronous code that isn't part of the work of the code that makes it run.
  static func runOutside(isolation: isolated (any Actor)? = #isolation, _ body: () async -> Void) async {
    await $bound.withValue(nil, operation: body)
  }

  /// Runs a closure that was kept until now: it isn't part of the work of the code that makes it run.
  @inline(__always)
  static func runOutside<Result>(_ hooks: Hooks = .now, _ body: () -> Result) -> Result {
    hooks.contains(.token) ? unbound(body) : body()
  }

  // Not optimized: or, for calls that never come here as well, everything that a closure captures would be retained.
  @_optimize(none)
  private static func unbound<Result>(_ body: () -> Result) -> Result {
    bound == nil ? body() : $bound.withValue(nil, operation: body)
  }
}
