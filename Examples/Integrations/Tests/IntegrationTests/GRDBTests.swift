// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import GRDB
import GRDBRecipe
import RaceFreeFuture
import Testing

extension IntegrationTests {
  @Suite struct GRDBTests {
    private struct NoTime: Error {}

    /// A query that doesn't end by itself.
    static let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"

    /// Calls the closure with a database in a file, and removes that.
    private func withDatabase(_ body: (DatabaseQueue) async throws -> Void) async throws {
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let queue = try DatabaseQueue(path: folder.appendingPathComponent("notes.sqlite").path)
      try await queue.write { try $0.execute(sql: "CREATE TABLE note (text TEXT)") }
      try await body(queue)
      try queue.close()
    }

    @Test func `a query is interrupted when the token is cancelled, and the connection goes on`() async throws {
      try await withDatabase { queue in
        let token = Future(label: "search")
        let query = ValueFuture.background { _ in
          try queue.write { db in
            try db.run(until: token) {
              try db.execute(sql: "INSERT INTO note VALUES ('half')")
              db.add(
                function: DatabaseFunction("begun", argumentCount: 0) { _ in
                  token.cancel(throwing: NoTime())
                  return 1
                }
              )
              return try Int.fetchOne(db, sql: "SELECT begun() + (\(Self.endless))")
            }
          }
        }
        await #expect(throws: NoTime.self) { try await query.value }
        let count = try await queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM note") }
        #expect(count == 0)
      }
    }

    @Test func `no statement begins for a cancelled token, and a token that isn't cancelled has no effect`()
      async throws
    {
      try await withDatabase { queue in
        let token = Future()
        try queue.inDatabase { db in
          try db.run(until: token) { try db.execute(sql: "INSERT INTO note VALUES ('whole')") }
        }
        token.cancel()
        #expect(throws: CancellationError.self) {
          try queue.inDatabase { db in
            try db.run(until: token) { try db.execute(sql: "INSERT INTO note VALUES ('none')") }
          }
        }
        let texts = try await queue.read { try String.fetchAll($0, sql: "SELECT text FROM note") }
        #expect(texts == ["whole"])
      }
    }

    @Test func `an asynchronous query needs only the task of the token`() async throws {
      try await withDatabase { queue in
        let token = Future()
        let begun = Future()
        let count = ValueFuture.task {
          try await token.run {
            try await queue.read { db in
              db.add(
                function: DatabaseFunction("begun", argumentCount: 0) { _ in
                  begun.complete()
                  return 1
                }
              )
              return try Int.fetchOne(db, sql: "SELECT begun() + (\(Self.endless))")
            }
          }
        }
        try await begun.value
        token.cancel()
        await #expect(throws: CancellationError.self) { try await count.value }
      }
    }
  }
}
