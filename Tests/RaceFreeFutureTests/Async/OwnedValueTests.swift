// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

@Suite struct OwnedValueTests {
  @Test(.explored(.exhaustive(maxOrders: 500)))
  func `it returns at the completion, and throws the error or the reason`() async throws {
    let (done, failed, stopped) = (ValueFuture<Int>(), ValueFuture<Int>(), Future())
    let first = Task { try await done.ownedValue }
    let second = Task { try await failed.ownedValue }
    let third = Task { try await stopped.ownedValue }
    await Task.yield()
    done.complete(with: 1)
    failed.complete(throwing: Reason("failed"))
    stopped.cancel(throwing: Reason("stopped"))
    #expect(try await first.value == 1)
    await #expect(throws: Reason("failed")) { try await second.value }
    await #expect(throws: Reason("stopped")) { try await third.value }
    let completed = Future()
    completed.complete()
    try await completed.ownedValue
  }

  @Test(.explored(.exhaustive(maxOrders: 500)))
  func `the cancellation of the task cancels the work, and its other waiters know`() async {
    let (future, value) = (Future(), ValueFuture<Int>())
    let owners = [Task { try await future.ownedValue }, Task { _ = try await value.ownedValue }]
    await Task.yield()
    for owner in owners { owner.cancel() }
    for owner in owners { await #expect(throws: CancellationError.self) { try await owner.value } }
    #expect(future.isCancelled && value.isCancelled)
  }

  @Test(.explored)
  func `in a task that is already cancelled the work is cancelled, and lazy work never starts`() async {
    let hasStarted = Variable(false)
    let lazy = ValueFuture.lazy { _ in hasStarted.value = true }
    let future = Future()
    let isCancelled = Gate("task is cancelled")
    let task = Task {
      await isCancelled.passed()
      await #expect(throws: CancellationError.self) { try await future.ownedValue }
      await #expect(throws: CancellationError.self) { try await lazy.ownedValue }
    }
    task.cancel()
    isCancelled.open()
    await task.value
    #expect(future.isCancelled && lazy.isCancelled && !hasStarted.value)
  }

  @Test func `it starts lazy work`() async throws {
    #expect(try await ValueFuture.lazy { _ in 7 }.ownedValue == 7)
  }

  @Test(.explored) func `a value that is there is returned in a cancelled task, too`() async throws {
    let value = ValueFuture<Int>.completed(with: 1)
    let isCancelled = Gate("task is cancelled")
    let task = Task {
      await isCancelled.passed()
      return try await value.ownedValue
    }
    task.cancel()
    isCancelled.open()
    #expect(try await task.value == 1)
  }

  @Test func `a completion that is queued before the cancellation wins, and its value is returned`() async throws {
    let value = ValueFuture<Int>()
    let gate = Gate("turn")
    value.standStill(until: gate)
    let task = Task { try await value.ownedValue }
    value.complete(with: 1)
    task.cancel()
    gate.open()
    #expect(try await task.value == 1)
  }

  @Test func `a value is received or given back, never both or neither`() async {
    for _ in 0..<iterations(300) {
      let back = EventLog<Int>()
      let value = ValueFuture<Int>(onUndelivered: { back.add($0) })
      let task = Task { try await value.ownedValue }
      async let completion: Void = onThread { value.complete(with: 1) }
      async let cancellation: Void = onThread { task.cancel() }
      _ = await (completion, cancellation)
      let received = try? await task.value
      #expect((received == nil ? 0 : 1) + back.events.count == 1)
    }
  }

  @Test(.explored) func `never is left alone: the task leaves at once`() async {
    let task = Task { try await CancelToken.never.ownedValue }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(CancelToken.never.isPending)
  }

  @Test func `it leaves nothing with the work of a task that waited`() async throws {
    let future = Future(label: "f")
    let task = Task { try await future.ownedValue }
    await Task.yield()
    future.complete()
    try await task.value
    #expect(future.description == "Future(\"f\", completed)")
  }

  @Test func `in every order of completion and cancellation the task gets what the work became`() async throws {
    await exploreTasks("owned value") { scenario in
      let value = ValueFuture<Int>(label: "work")
      let owner = Task(name: "owner") { try await value.ownedValue }
      async let completion: Void = { value.complete(with: 1) }()
      async let cancellation: Void = owner.cancel()
      _ = await (completion, cancellation)
      let received = try? await owner.value
      let isRight = received == (value.isCompleted ? 1 : nil)
      scenario.check(isRight, "\(String(describing: received)), but \(value)")
    }
  }
}
