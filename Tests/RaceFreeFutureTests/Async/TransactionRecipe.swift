// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// The code of the guide "Scopes" for clean-up that has to be over: readme.sh compares the two.

import RaceFreeFuture

protocol Connection: Sendable {
  func execute(_ statement: String) async throws
}

func inTransaction<Value>(
  on connection: some Connection,
  _ body: () async throws -> Value
) async throws -> Value {
  do {
    try await connection.execute("begin")
    let value = try await body()
    try await connection.execute("commit")
    return value
  } catch {
    // Also in cancelled work: no transaction stays open.
    try? await withCancellationShield { try await connection.execute("rollback") }
    throw error
  }
}
