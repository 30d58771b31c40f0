// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture

/// Ends one after the other.
func stop(_ worker: Scope, then database: Scope) async throws {
  defer { database.cancel() }  // also if the worker is stuck
  try await worker.shutDown(gracefully: .seconds(10), cancelling: .seconds(5))
  try await database.shutDown(gracefully: .zero, cancelling: .seconds(5))
}

/// Makes a scope that the service's end cancels and awaits, but after the worker's.
func makeDatabase(of service: Scope, for worker: Scope) -> Scope {
  let database = Scope(label: "database")  // not in `service`
  service.onCancelTask(name: "database") { _ in
    await worker.drain()
    database.cancel()
    await database.drain()
  }
  return database
}
