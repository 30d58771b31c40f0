// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// A recipe: copy this file.

public import GRDB
internal import GRDBSQLite
public import RaceFreeFuture

extension Database {
  /// Runs statements that are interrupted when some work is cancelled.
  ///
  /// ```swift
  /// let count = try queue.read { db in
  ///   try db.run(until: token) { try Int.fetchOne(db, sql: "SELECT count(*) FROM big JOIN big") }
  /// }
  /// ```
  ///
  /// SQLite itself asks every thousand steps of its virtual machine, so no cancellation is lost, as that of a call of
  /// `sqlite3_interrupt` would be if it came right before a statement begins. The asynchronous functions of GRDB need no
  /// recipe: `try await token.run { try await queue.read { … } }`.
  ///
  /// - Parameters:
  ///   - work: The work, such as a token.
  ///   - body: Runs the statements.
  /// - Returns: The value returned by the closure.
  /// - Throws: The reason of the cancellation, or the error thrown by the closure. A transaction is rolled back as usual.
  public func run<Value>(until work: some CancellableWork, _ body: () throws -> Value) throws -> Value {
    let token = work.cancelToken
    try token.checkCancellation()
    // Safe: the box is kept until the handler is removed, and only the thread of the connection calls it.
    let box = unsafe Unmanaged.passRetained(Box(token))
    unsafe sqlite3_progress_handler(sqliteConnection, 1000, { unsafe Box.isCancelled($0) }, box.toOpaque())
    defer {
      unsafe sqlite3_progress_handler(sqliteConnection, 0, nil, nil)
      unsafe box.release()
    }
    do {
      return try body()
    } catch let error as DatabaseError where error.resultCode == .SQLITE_INTERRUPT {
      try token.checkCancellation()
      throw error
    }
  }
}

/// A token for a function of C.
private final class Box: Sendable {
  private let token: CancelToken

  init(_ token: CancelToken) { self.token = token }

  static func isCancelled(_ box: UnsafeMutableRawPointer?) -> Int32 {
    guard let box = unsafe box else { return 0 }
    return unsafe Unmanaged<Box>.fromOpaque(box).takeUnretainedValue().token.isCancelled ? 1 : 0
  }
}
