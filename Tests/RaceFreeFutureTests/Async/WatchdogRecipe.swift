// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture

func copy(
  _ chunks: AsyncStream<[UInt8]>,
  to file: @escaping @Sendable ([UInt8]) async throws -> Void
) async throws {
  let copying = Future(label: "copy")
  let watchdog = copying.cancel(after: .seconds(30))
  defer { copying.complete() }
  try await copying.run {
    for await chunk in chunks {
      try await file(chunk)
      watchdog.extend(fromNow: .seconds(30))
    }
    // The stream ends early in a task that is cancelled.
    try Task.checkCancellation()
  }
}
