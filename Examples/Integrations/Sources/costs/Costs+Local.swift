// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import AsyncHTTPClient
import AsyncHTTPClientRecipe
import ContextRecipe
import GRDB
import GRDBRecipe
import Logging
import NIOHTTP1
import ObserversRecipe
import OpenCombine
import OpenCombineRecipe
import RaceFreeFuture
import TimeoutHeaderRecipe

private typealias Future = RaceFreeFuture.Future

// What stays on the thread, or nearly so.
extension Costs {
  static func measureObservers() async throws {
    func life(_ label: String? = nil) {
      let future = Future(label: label)
      future.onComplete(on: .inline) {}
      future.complete()
    }
    let (log, count, trace) = (loggingObserver(to: Logger(label: "futures")), metricsObserver(), tracingObserver())
    let observers: [(String, @Sendable (Future.Event) -> Void)] = [
      ("logs what nobody else may tell", log), ("counts", count), ("traces", trace),
      ("does all three", combined(count, log, trace)),
    ]
    for (name, observer) in observers {
      try await compare("a future with a handler; an observer \(name)", times: 10_000) {
        Future.observer = $0 ? observer : nil
      } bare: {
        life("upload")
      } recipe: {
        life("upload")
      }
    }
    try await compare("a future with a handler; the logger and the span are carried to it", times: 10_000) {
      if $0 { Future.carryLoggerAndTracingContext() } else { Future.contextPropagation = nil }
    } bare: {
      life()
    } recipe: {
      life()
    }
  }

  static func measureHeader() async throws {
    let token = Future(label: "view")
    token.cancel(after: .seconds(3600))
    var request = HTTPClientRequest(url: "http://127.0.0.1/")
    try await compare("a header with a constant; with the time that a token has left", times: 10_000) {
      request.headers.remove(name: TimeoutHeader.name)
      request.headers.add(name: TimeoutHeader.name, value: "3600000m")
    } recipe: {
      request.setTimeout(of: token)
    }
    let headers: HTTPHeaders = ["host": "127.0.0.1", "accept": "*/*", TimeoutHeader.name: "3600000m"]
    try await compare("a header is found; and read", times: 10_000) {
      precondition(headers.first(name: TimeoutHeader.name)?.isEmpty == false)
    } recipe: {
      precondition(headers.first(name: TimeoutHeader.name).flatMap(TimeoutHeader.interval) == .seconds(3600))
    }
  }

  static func measureOpenCombine() async throws {
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
    func receive(_ publisher: some Publisher<Int, any Error>) {
      var value: Int?
      let subscription = publisher.sink(receiveCompletion: { _ in }, receiveValue: { value = $0 })
      subscription.cancel()
      precondition(value == 7)
    }
    try await compare("OpenCombine: a publisher of one value; from a value future", times: 10_000) {
      receive(OpenCombine.Future<Int, any Error> { $0(.success(7)) })
    } recipe: {
      let future = ValueFuture<Int>()
      future.complete(with: 7)
      receive(future.publisher())
    }
  }

  static func measureGRDB() async throws {
    let queue = try DatabaseQueue()
    let token = Future(label: "search")
    token.cancel(after: .seconds(3600))
    @Sendable func query(_ db: Database, rows: Int) throws {
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
    try await compare("GRDB: an asynchronous query of 1 row; in the task of a token", times: 500) {
      try await queue.read { try query($0, rows: 1) }
    } recipe: {
      try await token.run { try await queue.read { try query($0, rows: 1) } }
    }
  }
}
