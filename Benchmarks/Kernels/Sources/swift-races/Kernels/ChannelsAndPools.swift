// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// What a pool, a session or a connection believes of another one is no longer true.

extension Kernel {
  static let channelsAndPools: [Kernel] = [
    Kernel("ahc-closed-connection", "swift-server/async-http-client@ce3958f", "the pool leases what has just closed") {
      scene in
      let (pool, connection) = (ConnectionPool(), PooledConnection())
      scene.task("remote") {
        await connection.close()
        await pool.connectionClosed()
      }
      scene.task("request") {
        if await pool.lease(), await !connection.run(isMended: scene.isMended) { scene.fail("a precondition failed") }
      }
    },
    Kernel("postgres-nio-query", "vapor/postgres-nio@f55caa7", "a query on a connection that closes") { scene in
      let connection = QueryConnection()
      scene.task("query") { try await connection.query(isMended: scene.isMended) }
      scene.task("server") { connection.close() }
    },
    Kernel("grdb-transaction", "groue/GRDB.swift@4cfa692", "the commit is interrupted, the transaction stays") {
      scene in
      let database = Database()
      let reader = scene.task("reader") { await database.read(isMended: scene.isMended) }.cancellable
      scene.task("user") { reader.cancel() }
      scene.afterwards { if await database.isInTransaction { scene.fail("the reader is still in a transaction") } }
    },
    Kernel("swift-nio-2436", "apple/swift-nio@d5519db", "answers of a resolver on other loops") { scene in
      let connector = HappyEyeballs()
      for name in ["AAAA", "A"] {
        scene.thread(name) { scene.isMended ? connector.mendedResolved() : connector.resolved() }
      }
      scene.atEnd { connector.results.value == 2 ? nil : "\(connector.results.value) answers" }
    },
  ]
}

private actor ConnectionPool {
  private var isIdle = true

  func connectionClosed() { isIdle = false }

  func lease() -> Bool {
    defer { isIdle = false }
    return isIdle
  }
}

/// A connection on its event loop.
///
/// It has closed, and the pool doesn't know yet.
private actor PooledConnection {
  private var isClosed = false

  func close() { isClosed = true }

  /// Runs a request, or fails it; returns false for a failed precondition.
  func run(isMended: Bool) -> Bool { !isClosed || isMended }
}

/// Queries in a list that the closing fails; a query may be added after that.
private final class QueryConnection: Sendable {
  private let state = Box((isClosed: false, queries: [CheckedContinuation<Void, any Error>]()))

  func query(isMended: Bool) async throws {
    if state.withLock({ $0.isClosed }) { throw CancellationError() }
    try await withCheckedThrowingContinuation { continuation in
      let isClosed = state.withLock { state in
        if !isMended || !state.isClosed { state.queries.append(continuation) }
        return state.isClosed
      }
      if isMended, isClosed { continuation.resume(throwing: CancellationError()) }
    }
  }

  func close() {
    let queries = state.withLock { state in
      defer { state = (true, []) }
      return state.queries
    }
    for query in queries { query.resume(throwing: CancellationError()) }
  }
}

/// A read is a transaction that is committed at its end; a cancellation fails each statement, the commit as well.
private actor Database {
  private(set) var isInTransaction = false

  private func execute(_ statement: String) async throws {
    await Task.yield()
    if statement == "ROLLBACK" { return isInTransaction = false }
    try Task.checkCancellation()
    isInTransaction = statement == "BEGIN"
  }

  func read(isMended: Bool) async {
    do { try await execute("BEGIN") } catch { return }
    do { try await execute("COMMIT") } catch { if isMended { try? await execute("ROLLBACK") } }
  }
}

/// A connector whose state belongs to its event loop.
///
/// A resolver answers on loops of its own.
private final class HappyEyeballs: Sendable {
  let results = Cell(0)
  private let loop = Box(())

  func resolved() { results.value += 1 }
  func mendedResolved() { loop.withLock { _ in results.value += 1 } }
}
