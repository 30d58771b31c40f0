// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

/// The recipes of the guide Scopes: a worker marks its job done, in a database, when it has been cancelled.
@Suite struct EndInOrderTests {
  private let done = EventLog<String>()
  private let service = Scope(label: "service")

  /// Has a worker that uses a database at its end, and until then.
  private func work(in worker: Scope, with database: Scope) {
    worker.addTask(name: "job") { _ = await worker.outcome }
    worker.onCancelTask(name: "mark the job done") { [done] _ in
      // What a connection does: nothing any more once it was closed.
      try? await database.run { done.add("marked, worker cancelled: \(worker.isCancelled)") }
      done.add("worker ends, database cancelled: \(database.isCancelled)")
    }
    database.onCancel(on: .inline) { [done] in done.add("database closes") }
  }

  @Test func `L11 what is nested beside the work that needs it is cancelled before that cleans up`() async throws {
    let worker = Scope(in: service, label: "worker")
    work(in: worker, with: Scope(in: service, label: "database"))
    service.cancel()
    await service.drain()
    // In which order they learn of it isn't promised.
    #expect(done.events.sorted() == ["database closes", "worker ends, database cancelled: true"])
  }

  private let inOrder = [
    "marked, worker cancelled: true", "worker ends, database cancelled: false", "database closes",
  ]

  @Test func `one after the other, the job is marked done`() async throws {
    let (worker, database) = (Scope(label: "worker"), Scope(label: "database"))
    work(in: worker, with: database)
    // The worker's task would go on.
    worker.stopToken.onCancel { worker.cancel() }
    try await stop(worker, then: database)
    #expect(done.events == inOrder)
    #expect(database.isCancelled)
  }

  @Test func `a worker that is stuck is named, and the database is cancelled`() async throws {
    try await withManualControl { control in
      let (worker, database) = (Scope(label: "worker"), Scope(label: "database"))
      let stuck = worker.beginActivity("stuck")
      let stopping = Task { try await stop(worker, then: database) }
      for _ in 0..<2 {
        try await control.clock.timersSet()
        #expect(database.isPending)
        control.clock.advance(by: .seconds(10))
      }
      let error = await #expect(throws: DrainError.self) { try await stopping.value }
      #expect(error?.remaining.count == 1)
      #expect(database.isCancelled)
      stuck.end()
    }
  }

  @Test func `ended by the end of the worker, the database is awaited by the service's drain`() async throws {
    let worker = Scope(in: service, label: "worker")
    let database = makeDatabase(of: service, for: worker)
    work(in: worker, with: database)
    service.cancel()
    await service.drain()
    #expect(done.events == inOrder)
    #expect(database.isCancelled)
  }
}
