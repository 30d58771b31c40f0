// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import ContextRecipe
import GRDB
import GRDBRecipe
import Logging
import NIOCore
import NIOPosix
import NIORecipe
import ObserversRecipe
import OpenCombine
import OpenCombineRecipe
import RaceFreeFuture

private typealias Future = RaceFreeFuture.Future

extension Costs {
  static func measureObservers() async throws {
    func life(_ label: String? = nil) {
      let future = Future(label: label)
      future.onComplete(on: .inline) {}
      future.complete()
    }
    let observer = combined(metricsObserver(), loggingObserver(to: Logger(label: "futures")), tracingObserver())
    try await compare("a future with a handler; observed by metrics, log and traces", times: 10_000) {
      life("upload")
    } recipe: {
      // Set for each: one load and one store more.
      Future.observer = observer
      life("upload")
      Future.observer = nil
    }
    try await compare("a future with a handler; with the logger and the span carried to it", times: 10_000) {
      life()
    } recipe: {
      if Future.contextPropagation == nil { Future.carryLoggerAndTracingContext() }
      life()
    }
    Future.contextPropagation = nil
  }

  static func measureNIO() async throws {
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    let token = Future(label: "connection")
    try await compare("SwiftNIO: a future awaited; as a value future below a token", times: 1000) {
      _ = try await loop.submit { 7 }.get()
    } recipe: {
      let future = loop.submit { 7 }.valueFuture()
      token.cascadeCancellation(to: future)
      _ = try await future.value
    }
    try await compare("OpenCombine: the first value; as a value future", times: 10_000) {
      let subject = PassthroughSubject<Int, any Error>()
      let subscription = subject.first().sink(receiveCompletion: { _ in }, receiveValue: { _ in })
      subject.send(7)
      subscription.cancel()
    } recipe: {
      let subject = PassthroughSubject<Int, any Error>()
      let future = subject.firstValue()
      subject.send(7)
      precondition(future.isCompleted)
    }
  }

  static func measureGRDB() async throws {
    let queue = try DatabaseQueue()
    let token = Future(label: "search")
    token.cancel(after: .seconds(3600))
    func query(_ db: Database, rows: Int) throws {
      _ = try Int.fetchOne(
        db,
        sql: "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT \(rows)) SELECT max(i) FROM n"
      )
    }
    for (rows, count) in [(1, 1000), (100_000, 2)] {
      try queue.inDatabase { try query($0, rows: rows) }
      try await compare("GRDB: a query of \(rows) row\(rows == 1 ? "" : "s"); interruptible", times: count) {
        try queue.inDatabase { try query($0, rows: rows) }
      } recipe: {
        try queue.inDatabase { db in try db.run(until: token) { try query(db, rows: rows) } }
      }
    }
  }
}
