// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting
import TestSupport
import Testing

@testable import RaceFreeFuture

@Suite(.exitTests) struct RunningTests {
  // MARK: The result

  @Test
  func `it returns what the body returns and throws what it throws`() async throws {
    for token in [Future().cancelToken, .never, Future.completed().cancelToken] {
      #expect(try await token.run { 7 } == 7)
      await #expect(throws: Reason("no")) { try await token.run { throw Reason("no") } }
      // Thrown without a cancellation it is an error like any other.
      await #expect(throws: CancellationError.self) {
        try await token.run { throw CancellationError() }
      }
    }
  }

  @Test
  func `on a future that is cancelled already the body isn't called, and the reason is thrown`() async {
    let future = Future()
    future.cancel(throwing: Reason("before"))
    await #expect(throws: Reason("before")) {
      try await future.run { () -> Void in Issue.record("the body was called") }
    }
  }

  @Test func `what is cancelled before its child task has started doesn't begin`() async {
    let (future, executor) = (Future(), HeldExecutor())
    let task = Task(executorPreference: executor) {
      try await future.run { () -> Void in Issue.record("the body was called") }
    }
    // The call has made its child task, which hasn't started.
    executor.runWaiting()
    #expect(executor.count == 1)
    future.cancel(throwing: Reason("before"))
    while executor.count > 0 { executor.runWaiting() }
    await #expect(throws: Reason("before")) { try await task.value }
  }

  // MARK: Cancelling

  @Test func `a body isn't cancelled when its future is completed`() async throws {
    let future = Future()
    let isCancelled = try await future.run {
      future.complete()
      return Task.isCancelled
    }
    #expect(!isCancelled)
  }

  @Test func `the cancellation has reached the body's task when cancel returns, and its reason is thrown`() async throws
  {
    let future = Future(label: "request")
    let (isRunning, isCancelled) = (Gate("body runs"), Gate("task cancelled"))
    let result = Task {
      try await future.run {
        await withTaskCancellationHandler {
          isRunning.open()
          await isCancelled.passed()
        } onCancel: {
          isCancelled.open()
        }
        try Task.checkCancellation()
      }
    }
    await isRunning.passed()
    future.cancel(throwing: Reason("shutdown"))
    #expect(isCancelled.isOpen)
    await #expect(throws: Reason("shutdown")) { try await result.value }
  }

  @Test func `it returns when the body has, and a value that comes after the cancellation is returned`() async throws {
    let future = Future()
    let (isRunning, mayEnd) = (Gate("body runs"), Gate("body may end"))
    let log = EventLog<String>()
    async let result = future.run {
      isRunning.open()
      await mayEnd.passed()
      log.add("body has ended")
      return 7
    }
    await isRunning.passed()
    future.cancel()
    log.add("cancelled")
    mayEnd.open()
    #expect(try await result == 7)
    #expect(log.events == ["cancelled", "body has ended"])
  }

  @Test func `what a body throws when it was cancelled gives way to the reason`() async throws {
    let future = Future()
    await #expect(throws: Reason("why")) {
      try await future.run {
        future.cancel(throwing: Reason("why"))
        #expect(Task.isCancelled)
        throw Reason("the connection was closed")
      }
    }
  }

  @Test func `after the decision the reason is thrown, also before the handlers have run`() async {
    let future = Future()
    let (isRunning, hasThrown) = (Gate("body runs"), Gate("run has thrown"))
    future.onCancel(on: .inline) { hasThrown.wait() }
    let result = Task {
      try await future.run {
        isRunning.open()
        do { try await future.value } catch { throw Reason("mine") }
      }
    }
    await isRunning.passed()
    async let cancelled: Void = onThread { future.cancel(throwing: Reason("why")) }
    await #expect(throws: Reason("why")) { try await result.value }
    hasThrown.open()
    await cancelled
  }

  @Test func `a reason that came by links tells its path`() async throws {
    let session = Future(label: "session")
    let request = Future(linkedTo: session, label: "request")
    await #expect(throws: TimeoutError(interval: .zero, label: "session")) {
      try await request.run {
        session.cancel(after: .zero)
        try Task.checkCancellation()
      }
    }
  }

  @Test func `it doesn't return while another thread is about to cancel its task`() async {
    await #expect(processExitsWith: .success) { try await RunningTests.cancelling() }
  }

  /// The thread that cancels stands still in the handler, before it touches the task: whose body ends now.
  fileprivate static func cancelling() async throws {
    let (isCancelling, mayGoOn) = (Gate("the handler runs"), Gate("it may go on"))
    Future.contextPropagation = {
      { body in
        isCancelling.open()
        mayGoOn.wait()
        body()
      }
    }
    let (executor, log) = (ManualExecutor(), EventLog<String>())
    let (future, body) = (Future(), Future())
    let task = Task(executorPreference: executor) {
      _ = try? await future.run { await body.outcome }
      log.add("returned")
    }
    try await eventually("the body waits") {
      executor.runAll()
      return body.process { !$0.handlers.isEmpty }
    }
    Future.contextPropagation = nil
    async let cancelled: Void = onThread { future.cancel() }
    await isCancelling.passed()
    body.complete()
    try await eventually("the body has continued") { executor.runAll() }
    #expect(log.events == [])
    mayGoOn.open()
    await cancelled
    try await eventually("it returns") {
      executor.runAll()
      return log.events == ["returned"]
    }
    await task.value
  }

  // MARK: The calling task

  @Test(arguments: [false, true])
  func `the calling task's cancellation cancels the body, and the future only by choice`(cancelsToken: Bool) async {
    let future = Future()
    let isRunning = Gate("body runs")
    let task = Task {
      try await future.run(cancelsToken: cancelsToken) {
        isRunning.open()
        try await Future().value
      }
    }
    await isRunning.passed()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(future.isCancelled == cancelsToken)
  }

  @Test
  func `in a task that is cancelled already, a future that follows it is cancelled and the body isn't called`() async {
    let future = Future()
    let task = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      try await future.run(cancelsToken: true) { () -> Void in
        Issue.record("the body was called")
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(future.isCancelled)
  }

  @Test func `nothing is left behind at the future`() async throws {
    let future = Future()
    try await future.run {}
    _ = try? await future.run { throw Reason("no") }
    #expect("\(future)".hasSuffix("pending)"))
  }

  // MARK: The current token

  @Test func `inside, the current token is that of the innermost run`() async throws {
    let (outer, inner) = (Future(), Future())
    #expect(CancelToken.current == .never)
    try await outer.run {
      #expect(CancelToken.current == outer.cancelToken)
      try await inner.run { #expect(CancelToken.current == inner.cancelToken) }
      async let child = CancelToken.current
      #expect(await child == outer.cancelToken)
      #expect(await Task.detached { CancelToken.current }.value == .never)
    }
    #expect(CancelToken.current == .never)
  }

  @Test func `synchronous code far down is stopped in its midst`() async throws {
    @Sendable func work(_ steps: Int, _ stopAt: Int) throws -> Int {
      for step in 0..<steps {
        if step == stopAt { CancelToken.current.cancel(throwing: Reason("at \(step)")) }
        try CancelToken.current.checkCancellation()
      }
      return steps
    }
    let future = Future()
    #expect(try await future.run { try work(10, 10) } == 10)
    await #expect(throws: Reason("at 3")) { try await future.run { try work(10, 3) } }
    #expect(throws: Never.self) { try work(3, 1) }
  }

  // MARK: In every order

  @Test
  func `in every order the body's value is returned or the reason thrown, and nothing is left`() async throws {
    let seen = Variable<Set<String>>([])
    await exploreTasks("run") { scenario in
      let future = Future(label: "f")
      let log = Variable("")
      async let result = future.run {
        await Task.yield()
        try Task.checkCancellation()
        return 7
      }
      async let cancelling: Void = { future.cancel(throwing: Reason("why")) }()
      do {
        log.value += "\(try await result)"
      } catch {
        log.value += reason(error)?.text ?? "another error"
      }
      await cancelling
      seen.value.insert(log.value)
    }
    #expect(seen.value == ["7", "why"])
  }
}

/// The cancellation of the future, of the task and the end of the body against each other.
@Suite(.serialized) struct RunningStressTests {
  @Test
  func `whatever comes first, the call ends, and its task isn't touched any more`() async throws {
    for round in 0..<iterations(1_000) {
      let box = Box()
      let task = Task {
        try await box.future.run {
          box.isRunning.open()
          if round % 3 == 0 { await Task.yield() }
          if round % 3 == 1 { try await Future().value }
          return round
        }
      }
      startThread {
        if round % 2 == 0 { box.isRunning.wait() }
        box.future.cancel(throwing: Reason("why"))
      }
      switch await task.result {
      case .success(let value): #expect(value == round && round % 3 != 1)
      case .failure(let error): #expect(reason(error) == Reason("why"))
      }
      #expect(await box.future.handlersFinished == .cancelled)
    }
  }

  private final class Box: Sendable {
    let future = Future()
    let isRunning = Gate("body runs")
  }
}

/// Runs jobs when the test says so, each to its next suspension.
private final class ManualExecutor: TaskExecutor {
  private let jobs = Locked<[UnownedJob]>([])

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  /// Runs all jobs, and those that they add; false if there were none.
  @discardableResult
  func runAll() -> Bool {
    var hasRun = false
    while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
      unsafe job.runSynchronously(on: asUnownedTaskExecutor())
      hasRun = true
    }
    return hasRun
  }
}

extension Future {
  fileprivate static func completed() -> Future {
    let future = Future()
    future.complete()
    return future
  }
}
