// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture

/// Returns what the operation does, after at most so many attempts.
func retry<Value: Sendable>(
  attempts: Int,
  pause: Duration,
  leaving least: Duration,
  within work: some CancellableWork,
  using generator: inout some RandomNumberGenerator,
  if isTransient: (any Error) -> Bool,
  _ operation: @escaping @Sendable () async throws -> Value
) async throws -> Value {
  var longest = pause
  for _ in 1..<attempts {
    do {
      return try await work.run { try await operation() }
    } catch {
      guard work.isPending, isTransient(error) else { throw error }
      let pause = longest * Double.random(in: 0.5...1, using: &generator)
      // The next attempt couldn't finish.
      let next = Deadline.now + pause + least
      if let deadline = work.deadline, next > deadline { throw error }
      try await work.run { try await Future.completing(after: pause).ownedValue }
      longest *= 2
    }
  }
  return try await work.run { try await operation() }
}
