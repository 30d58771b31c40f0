// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture

/// A worker that does jobs, three at a time, and writes down how each has ended, whatever comes.
struct JobWorker: Sendable {
  let database: Surroundings
  let jobs = Scope(limit: 3, label: "jobs")
  private let connection = Scope(label: "database")

  init(_ database: Surroundings) {
    self.database = database
    connection.onCancel { database.close() }
  }

  /// Adds a job, which is cancelled if one of its steps takes longer than a heartbeat.
  @discardableResult
  func add(_ job: String, steps: Int, heartbeat: Duration = .seconds(30)) -> ValueFuture<Void> {
    jobs.addTask(name: job) { try await work(on: job, steps: steps, heartbeat) }
  }

  private func work(on job: String, steps: Int, _ heartbeat: Duration) async throws {
    let work = Future(linkedTo: CancelToken.current, label: job)
    let watchdog = work.cancel(after: heartbeat)
    defer { work.complete() }
    do {
      try await work.run {
        for step in 0..<steps {
          _ = try await database.load("\(job), step \(step)")
          watchdog.extend(fromNow: heartbeat)
        }
      }
    } catch {
      try await write(job, "given back")
      throw error
    }
    try await write(job, "done")
  }

  /// Also in a job that has been cancelled.
  private func write(_ job: String, _ ending: String) async throws {
    try await withCancellationShield { try await database.write("\(job): \(ending)") }
  }

  /// What is being done, and what waits, for a monitor.
  var status: String { "\(jobs.openWork)" }

  /// Ends the jobs, and then the database.
  func stop() async throws {
    defer { connection.cancel() }
    try await jobs.shutDown(gracefully: .milliseconds(1), cancelling: .seconds(60))
  }
}
