// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting
import Synchronization

/// A correct program as in an app, to measure the number of its orders that are run in a second.
struct Subject: Sendable {
  let title: String
  let body: @Sendable @concurrent (TaskScenario) async throws -> Void

  static let all = [
    Subject(title: "two tasks, an actor that calls another") { await withdrawals(2, $0) },
    Subject(title: "three tasks, an actor that calls another") { await withdrawals(3, $0) },
    Subject(title: "a continuation, cancelled", body: cancellation),
    Subject(title: "a task that sleeps, awaited by two, of whom one is cancelled", body: sharing),
    Subject(title: "a stream to the main actor", body: streaming),
  ]

  // MARK: An actor

  private actor Account {
    private(set) var balance = 100
    private let audit = Audit()

    func withdraw(_ amount: Int) async {
      guard balance >= amount else { return }
      balance -= amount
      await audit.note(amount)
    }
  }

  private actor Audit {
    private var sum = 0
    func note(_ amount: Int) { sum += amount }
  }

  @Sendable private static func withdrawals(_ count: Int, _ scenario: TaskScenario) async {
    let account = Account()
    for _ in 0..<count {
      Task.detached {
        await account.withdraw(80)
        let balance = await account.balance
        scenario.check(balance == 20, "the balance is \(balance)")
      }
    }
  }

  // MARK: A continuation

  private final class Bell: Sendable {
    private let state = Mutex((waiting: CheckedContinuation<Void, any Error>?.none, isCancelled: false))

    func wait() async throws {
      try await withTaskCancellationHandler {
        await Task.yield()
        try await withCheckedThrowingContinuation { continuation in
          let isCancelled = state.withLock { state in
            if !state.isCancelled { state.waiting = continuation }
            return state.isCancelled
          }
          if isCancelled { continuation.resume(throwing: CancellationError()) }
        }
      } onCancel: {
        state.withLock { state in
          state.isCancelled = true
          defer { state.waiting = nil }
          return state.waiting
        }?.resume(throwing: CancellationError())
      }
    }
  }

  @Sendable private static func cancellation(_ scenario: TaskScenario) async {
    let bell = Bell()
    let waiting = Task.detached { try await bell.wait() }
    Task.detached {
      await Task.yield()
      waiting.cancel()
    }
    Task.detached { _ = await waiting.result }
  }

  // MARK: A sleep

  private actor Sharing {
    private var task: Task<Int, any Error>?

    func value() async throws -> Int {
      let task =
        self.task
        ?? Task {
          try await Task.sleep(for: .seconds(1))
          return 1
        }
      self.task = task
      return try await task.value
    }
  }

  @Sendable private static func sharing(_ scenario: TaskScenario) async {
    let shared = Sharing()
    let first = Task.detached { try await shared.value() }
    Task.detached { scenario.check(try await shared.value() == 1, "it isn't 1") }
    Task.detached { first.cancel() }
  }

  // MARK: A stream

  @MainActor private final class Model {
    private(set) var shown: [Int] = []
    func show(_ number: Int) { shown.append(number) }
  }

  @Sendable private static func streaming(_ scenario: TaskScenario) async {
    let (numbers, continuation) = AsyncStream<Int>.makeStream()
    Task.detached {
      let model = await MainActor.run { Model() }
      for await number in numbers { await model.show(number) }
      let shown = await model.shown
      scenario.check(shown == [1, 2], "it shows \(shown)")
    }
    Task.detached {
      continuation.yield(1)
      await Task.yield()
      continuation.yield(2)
      continuation.finish()
    }
  }
}
