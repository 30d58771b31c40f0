// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import RaceFreeFutureFoundation
import RaceFreeFutureTesting
import TestSupport
import Testing

extension SignalTests {
  @Suite struct ScopeSignalTests {
    init() { UsedSignal.prepare() }

    /// Suspends until a call of `shutDown(on:)` listens: the handler at the token comes after that.
    private func listens(_ scope: Scope) async throws {
      try await eventually("\(scope) listens") { "\(scope.stopToken)".contains("1 handler") }
    }

    @Test func `one signal begins it, and the next ones end the steps`() async throws {
      let scope = Scope(label: "server")
      let activity = scope.beginActivity("stuck")
      let task = Task {
        try await scope.shutDown(
          on: [UsedSignal.signal],
          gracefully: .seconds(1_000_000),
          cancelling: .seconds(1_000_000)
        )
      }
      try await eventually("somebody listens") { !UsedSignal.isAsBefore }
      #expect(scope.stopToken.isPending)
      UsedSignal.send()
      _ = await scope.stopToken.outcome
      #expect(scope.isPending)
      UsedSignal.send()
      _ = await scope.outcome
      #expect(scope.cancellationReason is TimeoutError)
      UsedSignal.send()
      let error = try await #require(throws: DrainError.self) { try await task.value }
      #expect(error.remaining.map(\.kind) == [.activity("stuck")])
      #expect(UsedSignal.isAsBefore)
      activity.end()
    }

    @Test func `a member that would wait for itself is told so, and waits for no signal`() async throws {
      let scope = Scope(label: "server")
      let worker = scope.addTask(name: "worker") {
        try await scope.shutDown(
          on: [UsedSignal.signal],
          gracefully: .seconds(1_000_000),
          cancelling: .seconds(1_000_000)
        )
      }
      let error = try await #require(throws: DrainError.self) { try await worker.value }
      #expect(error.remaining.map(\.kind) == [.cycle] && UsedSignal.isAsBefore && scope.stopToken.isPending)
    }

    @Test func `a signal ends the step that it comes in, also if the one before ended by itself`() async throws {
      let scope = Scope(label: "server")
      let activity = scope.beginActivity("stuck")
      let task = Task {
        try await scope.shutDown(on: [UsedSignal.signal], gracefully: .zero, cancelling: .seconds(1_000_000))
      }
      try await eventually("somebody listens") { !UsedSignal.isAsBefore }
      UsedSignal.send()
      _ = await scope.outcome
      UsedSignal.send()
      let error = try await #require(throws: DrainError.self) { try await task.value }
      #expect(error.remaining.map(\.kind) == [.activity("stuck")])
      activity.end()
    }

    @Test func `a signal reaches all who listen, and does what it did before when the last has gone`() async throws {
      let scopes = (0..<3).map { Scope(label: "\($0)") }
      let tasks = scopes.map { scope in
        Task {
          try await scope.shutDown(on: [UsedSignal.signal, .kill], gracefully: .seconds(1), cancelling: .seconds(1))
        }
      }
      for scope in scopes { try await listens(scope) }
      // The first one ends by itself, the second with its task.
      scopes[0].stopToken.cancel()
      try await tasks[0].value
      tasks[1].cancel()
      await #expect(throws: CancellationError.self) { try await tasks[1].value }
      #expect(scopes[1].isCancelled)
      let listening = Scope()
      let both = Task {
        try await listening.shutDown(on: [UsedSignal.signal], gracefully: .seconds(1), cancelling: .seconds(1))
      }
      try await listens(listening)
      UsedSignal.send()
      try await eventually("both are told") { listening.isCancelled && scopes[2].isCancelled }
      try await tasks[2].value
      try await both.value
      #expect(UsedSignal.isAsBefore)
    }

    // MARK: - Several listeners

    /// How the scopes of two shutdowns belong together.
    enum Pair: CaseIterable {
      case same, nested, nestedDeeper
    }

    @Test(arguments: Pair.allCases)
    func `one signal is one step of each shutdown, also if the first one's stop ends the other's wait`(
      pair: Pair
    ) async throws {
      let outer = Scope(label: "outer")
      let middle = Scope(in: outer, label: "middle")
      let inner =
        switch pair {
        case .same: outer
        case .nested: middle
        case .nestedDeeper: Scope(in: middle, label: "inner")
        }
      let activity = inner.beginActivity("graceful work")
      let tasks = ManualExecutor()
      let first = tasks.shutDown(outer)
      // Between the two: what the first one's step leads to has happened before the other one gets the signal.
      let between = Future(label: "between")
      between.onCancel(on: .inline) { tasks.runAll() }
      between.cancel(on: [UsedSignal.signal])
      let second = tasks.shutDown(inner)
      try await heard()
      tasks.runAll()
      #expect(outer.stopToken.isCancelled && inner.stopToken.isCancelled && inner.isPending)
      activity.end()
      tasks.runAll()
      try await first.value
      try await second.value
      #expect(!(inner.cancellationReason is TimeoutError))
      #expect(UsedSignal.isAsBefore && UsedSignal.formerEffects == 0)
    }

    @Test func `three signals are three steps of each of three nested shutdowns`() async throws {
      let outer = Scope(label: "outer")
      let middle = Scope(in: outer, label: "middle")
      let inner = Scope(in: middle, label: "inner")
      let activity = inner.beginActivity("stuck")
      let tasks = ManualExecutor()
      let ends = [inner, outer, middle].map { scope in
        let between = Future(label: "between")
        between.onCancel(on: .inline) { tasks.runAll() }
        between.cancel(on: [UsedSignal.signal])
        return tasks.shutDown(scope)
      }
      try await heard()
      tasks.runAll()
      #expect([outer, middle, inner].allSatisfy { $0.stopToken.isCancelled && $0.isPending })
      try await heard()
      tasks.runAll()
      #expect([outer, middle, inner].allSatisfy { $0.cancellationReason is TimeoutError })
      #expect(!UsedSignal.isAsBefore)
      try await heard()
      tasks.runAll()
      for end in ends { await #expect(throws: DrainError.self) { try await end.value } }
      #expect(UsedSignal.isAsBefore && UsedSignal.formerEffects == 0)
      activity.end()
    }

    @Test(arguments: [false, true])
    func `a signal that cancels work is one step of a shutdown, also if the cancellation ends its wait`(
      stops: Bool
    ) async throws {
      let scope = Scope(label: "server")
      let activity = scope.beginActivity("graceful work")
      let tasks = ManualExecutor()
      let accepting = Future(label: "accepting")
      accepting.onCancel(on: .inline) {
        if stops { scope.stopToken.cancel() } else { scope.cancel(throwing: Reason("cancelled")) }
        tasks.runAll()
      }
      accepting.cancel(on: [UsedSignal.signal])
      let end = tasks.shutDown(scope)
      try await heard()
      tasks.runAll()
      #expect(scope.isPending == stops)
      // Where it has been cancelled, the second signal ends the graceful time, and none but the third one gives up.
      try await heard()
      tasks.runAll()
      #expect(scope.isCancelled && !UsedSignal.isAsBefore)
      activity.end()
      tasks.runAll()
      try await end.value
      #expect(UsedSignal.isAsBefore && UsedSignal.formerEffects == 0)
    }

    @Test func `a signal after the last step has its former effect, also if nobody has gone yet`() async throws {
      let scope = Scope(label: "server")
      let activity = scope.beginActivity("stuck")
      let tasks = ManualExecutor()
      let end = tasks.shutDown(scope)
      // The task doesn't continue meanwhile.
      for _ in 0..<3 { try await heard() }
      #expect(!UsedSignal.isAsBefore && UsedSignal.formerEffects == 0)
      UsedSignal.send()
      try await eventually("it is sent again") { UsedSignal.formerEffects == 1 }
      #expect(UsedSignal.isAsBefore)
      tasks.runAll()
      await #expect(throws: DrainError.self) { try await end.value }
      activity.end()
    }

    /// Sends a signal, and returns when everybody who listens has heard it.
    private func heard() async throws {
      let last = Future(label: "the last one who listens")
      last.cancel(on: [UsedSignal.signal])
      UsedSignal.send()
      _ = await last.outcome
    }
  }
}

/// Runs tasks when the test says so, each to its next suspension.
private final class ManualExecutor: TaskExecutor {
  private let jobs = Locked<[UnownedJob]>([])

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  /// Runs all jobs, and those that they add.
  func runAll() {
    while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
      unsafe job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }

  /// Starts a shutdown without time limits, which listens when this returns.
  func shutDown(_ scope: Scope) -> Task<Void, any Error> {
    let task = Task(executorPreference: self) {
      try await scope.shutDown(
        on: [UsedSignal.signal],
        gracefully: .seconds(1_000_000),
        cancelling: .seconds(1_000_000)
      )
    }
    runAll()
    return task
  }
}
