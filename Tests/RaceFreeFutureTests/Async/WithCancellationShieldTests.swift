// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import RaceFreeFutureTesting
import Synchronization
import TestSupport
import Testing

@Suite struct WithCancellationShieldTests {
  // MARK: What doesn't reach the body

  @Test(.explored) func `a cancelled task's cancellation doesn't reach the body, and is there again behind it`() async {
    let log = EventLog<String>()
    await Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      await withCancellationShield {
        log.add("inside: \(Task.isCancelled)")
        await withTaskCancellationHandler {
          await Task.yield()
        } onCancel: {
          log.add("the handler was called")
        }
      }
      log.add("behind: \(Task.isCancelled)")
    }.value
    #expect(log.events == ["inside: false", "behind: true"])
  }

  @Test(.explored(.exhaustive(maxOrders: 500)))
  func `a cancellation that comes meanwhile doesn't reach the body, and the call ends with it`() async throws {
    let (isRunning, mayEnd, log) = (Gate("body runs"), Gate("body may end"), EventLog<String>())
    let task = Task {
      let answer = await withCancellationShield {
        isRunning.open()
        await mayEnd.passed()
        log.add("body ends: \(Task.isCancelled)")
        return 7
      }
      log.add("\(answer), behind: \(Task.isCancelled)")
    }
    await isRunning.passed()
    task.cancel()
    log.add("cancelled")
    mayEnd.open()
    await task.value
    #expect(log.events == ["cancelled", "body ends: false", "7, behind: true"])
  }

  @Test(.explored)
  func `a cancelled token's cancellation doesn't reach the body, and is there again behind it`() async {
    let request = Future(label: "request")
    let log = EventLog<String>()
    await #expect(throws: Reason("stop")) {
      try await request.run {
        request.cancel(throwing: Reason("stop"))
        await withCancellationShield {
          log.add("inside: \(Task.isCancelled) \(CancelToken.current.isCancelled)")
          #expect(throws: Never.self) { try CancelToken.current.checkCancellation() }
          // What is inherited from there is shielded, too.
          await Task { log.add("a task: \(CancelToken.current.isCancelled)") }.value
        }
        log.add("behind: \(Task.isCancelled) \(CancelToken.current.isCancelled)")
        try Task.checkCancellation()
      }
    }
    #expect(log.events == ["inside: false false", "a task: false", "behind: true true"])
  }

  @Test func `what the body itself starts and cancels works as usual`() async {
    let limit = Future(label: "limit")
    await Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      await withCancellationShield {
        await #expect(throws: Reason("late")) {
          try await limit.run {
            #expect(!Task.isCancelled && CancelToken.current == limit.cancelToken)
            limit.cancel(throwing: Reason("late"))
            #expect(Task.isCancelled)
            try Task.checkCancellation()
          }
        }
      }
    }.value
  }

  // MARK: What does

  @TaskLocal private static var name = "nobody"

  @MainActor @Test func `the body runs on the caller's actor, and has its task-local values`() async throws {
    // Neither it nor what it captures is Sendable.
    final class Box { var count = 0 }
    let box = Box()
    let result = await Self.$name.withValue("somebody") {
      await withCancellationShield { () -> Box in
        MainActor.assertIsolated()
        box.count += 1
        await Task.yield()
        MainActor.assertIsolated()
        #expect(Self.name == "somebody")
        return box
      }
    }
    #expect(result === box && box.count == 1)
  }

  @Test func `it throws what the body throws, by its type`() async {
    func failing() async throws(Reason) { throw Reason("no") }
    do throws(Reason) {
      try await withCancellationShield(failing)
      Issue.record("it has thrown nothing")
    } catch {
      #expect(error == Reason("no"))
    }
  }

  // MARK: The guide's transaction

  enum End: CaseIterable { case task, token, deadline }

  @Test(arguments: End.allCases)
  func `a transaction that is cancelled is rolled back behind its last statement, before its caller goes on`(
    _ end: End
  ) async throws {
    let (isRunning, mayEnd) = (Gate("a statement runs"), Gate("the statement may end"))
    let connection = Recorded(pausing: "insert", isRunning, mayEnd)
    let request = Future(label: "request")
    let task = Task {
      try await request.run(cancelsToken: true) {
        try await inTransaction(on: connection) {
          try await connection.execute("insert")
          try await connection.execute("update")
        }
      }
    }
    await isRunning.passed()
    switch end {
    case .task: task.cancel()
    case .token: request.cancel()
    case .deadline: request.cancel(after: .zero)
    }
    connection.log.add("cancelled")
    mayEnd.open()
    await #expect(throws: (any Error).self) { try await task.value }
    // The statement doesn't follow the cancellation, and none is refused but the one behind it.
    #expect(
      connection.log.events == [
        "begin", "insert", "cancelled", "insert ends", "update is refused", "rollback", "rollback ends",
      ]
    )
  }

  @Test func `a transaction that isn't cancelled is committed, and its value returned`() async throws {
    let connection = Recorded()
    let value = try await inTransaction(on: connection) {
      try await connection.execute("insert")
      return 7
    }
    #expect(value == 7 && connection.log.events == ["begin", "insert", "insert ends", "commit"])
  }
}

/// A connection that refuses statements in cancelled tasks and under cancelled tokens, as database drivers do.
private final class Recorded: Connection {
  let log = EventLog<String>()
  private let pause: (statement: String, isRunning: Gate, mayEnd: Gate)?

  init() { pause = nil }

  init(pausing statement: String, _ isRunning: Gate, _ mayEnd: Gate) { pause = (statement, isRunning, mayEnd) }

  func execute(_ statement: String) async throws {
    do {
      try Task.checkCancellation()
      try CancelToken.current.checkCancellation()
    } catch {
      log.add("\(statement) is refused")
      throw error
    }
    log.add(statement)
    if let pause, pause.statement == statement {
      pause.isRunning.open()
      await pause.mayEnd.passed()
    }
    await Task.yield()
    if statement == "insert" || statement == "rollback" { log.add("\(statement) ends") }
  }
}
