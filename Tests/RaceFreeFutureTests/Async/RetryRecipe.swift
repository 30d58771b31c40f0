// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture

/// Tries an operation again after each failure for which there is a pause.
func retry<Value: Sendable>(
  within work: some CancellableWork,
  leaving least: Duration,
  pause: (_ error: any Error, _ failures: Int) -> Duration?,
  _ operation: @escaping @Sendable () async throws -> Value
) async throws -> Value {
  var failures = 0
  while true {
    do {
      return try await work.run {
        // The cancellation may have come before this task began.
        try Task.checkCancellation()
        return try await operation()
      }
    } catch {
      // A cancellation is the end, whatever the attempt made of it.
      try work.checkCancellation()
      try Task.checkCancellation()
      failures += 1
      guard let pause = pause(error, failures) else { throw error }
      // The next attempt couldn't finish.
      let next = Deadline.now + pause + least
      if let deadline = work.deadline, next > deadline { throw error }
      try await work.run { try await Future.completing(after: pause).ownedValue }
    }
  }
}

/// Returns a pause that becomes longer and varies, for errors that may go away.
func pause(
  after error: any Error,
  _ failures: Int,
  using generator: inout some RandomNumberGenerator
) -> Duration? {
  guard failures < 5, !(error is DecodingError) else { return nil }
  return .seconds(1 << failures) * Double.random(in: 0.25...0.5, using: &generator)
}
