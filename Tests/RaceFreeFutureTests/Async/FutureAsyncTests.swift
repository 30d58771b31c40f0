// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFutureTesting
import TestSupport
import Testing

@testable import RaceFreeFuture

@Suite struct FutureAsyncTests {
  // MARK: value

  @Test func `value returns when the future is completed`() async throws {
    let resolved = Future()
    resolved.complete()
    try await resolved.value
    let pending = Future()
    let task = Task { try await pending.value }
    await Task.yield()
    pending.complete()
    try await task.value
  }

  @Test func `value throws the reason when the future is cancelled`() async {
    let resolved = Future()
    resolved.cancel(throwing: Reason("before"))
    await #expect(throws: Reason("before")) { try await resolved.value }
    let pending = Future()
    let task = Task { try await pending.value }
    await Task.yield()
    pending.cancel(throwing: Reason("after"))
    await #expect(throws: Reason("after")) { try await task.value }
  }

  @Test func `a cancelled task leaves at once, and the future and its other waiters stay`() async throws {
    let future = Future(label: "f")
    let leaver = Task { try await future.value }
    let stayer = Task { try await future.value }
    await Task.yield()
    leaver.cancel()
    await #expect(throws: CancellationError.self) { try await leaver.value }
    #expect(future.isPending)
    #expect(future.description == "Future(\"f\", pending)")
    future.complete()
    try await stayer.value
  }

  @Test func `a task that was cancelled before leaves a pending future at once`() async {
    let future = Future()
    let (ready, go) = (Gate("task runs"), Gate("task is cancelled"))
    let task = Task {
      ready.open()
      await go.passed()
      try await future.value
    }
    await ready.passed()
    task.cancel()
    go.open()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(future.isPending)
  }

  @Test func `on a resolved future a cancelled task gets the outcome, not its own cancellation`() async throws {
    let (completed, cancelled) = (Future(), Future())
    completed.complete()
    cancelled.cancel(throwing: Reason("its own"))
    let go = Gate("task is cancelled")
    let first = Task {
      await go.passed()
      try await completed.value
    }
    let second = Task {
      await go.passed()
      try await cancelled.value
    }
    first.cancel()
    second.cancel()
    go.open()
    try await first.value
    await #expect(throws: Reason("its own")) { try await second.value }
  }

  @Test func `a waiting task that left is forgotten by the future`() async {
    let future = Future()
    let live = LiveCount()
    for _ in 0..<100 {
      let task = Task { [instance = live.make()] in
        defer { instance.touch() }
        try await future.value
      }
      await Task.yield()
      task.cancel()
      _ = await task.result
    }
    // What the tasks kept goes with them; nothing of them is left at the future, neither handler nor task.
    while live.value != 0 { await Task.yield() }
    #expect(future.isPending)
    #expect(await onThread { future.tryComplete() })
  }

  @Test func `a waiting task that left leaves no entry at the future`() async throws {
    let future = Future()
    let task = Task { try await future.value }
    try await eventually("it waits") { !future.process { $0.handlers.isEmpty } }
    task.cancel()
    _ = await task.result
    #expect(future.process { $0.handlers.isEmpty })
  }

  @Test func `whether completed or cancelled first, a waiter is told once and truly`() async {
    for round in 0..<iterations(1_000) {
      let future = Future()
      let task = Task { try await future.value }
      let completing = Task {
        for _ in 0..<(round % 4) { await Task.yield() }
        return future.tryComplete()
      }
      task.cancel()
      #expect(await completing.value)
      switch await task.result {
      case .success: #expect(future.isCompleted)
      case .failure(let error): #expect(error is CancellationError)
      }
    }
  }

  @Test func `ten thousand tasks wait, and half of them leave`() async {
    let future = Future()
    let (stayed, left) = await withTaskGroup(of: Bool.self) { group in
      let leavers = EventLog<Task<Bool, Never>>()
      for index in 0..<10_000 {
        if index.isMultiple(of: 2) {
          group.addTask { (try? await future.value) != nil }
        } else {
          let leaver = Task { (try? await future.value) != nil }
          leavers.add(leaver)
          group.addTask { await leaver.value }
        }
      }
      for leaver in leavers.events { leaver.cancel() }
      for leaver in leavers.events { _ = await leaver.value }
      future.complete()
      var counts = (0, 0)
      for await hasStayed in group { if hasStayed { counts.0 += 1 } else { counts.1 += 1 } }
      return counts
    }
    #expect(stayed == 5_000)
    #expect(left == 5_000)
  }

  // MARK: outcome

  @Test func `outcome says how it ended, also to a cancelled task`() async {
    let (completed, cancelled) = (Future(), Future())
    let first = Task { await completed.outcome }
    let second = Task { await cancelled.outcome }
    first.cancel()
    second.cancel()
    completed.complete()
    cancelled.cancel()
    #expect(await first.value == .completed)
    #expect(await second.value == .cancelled)
    #expect(await completed.outcome == .completed)
    #expect(await cancelled.outcome == .cancelled)
  }

  @Test func `a task may await inside the life of the future's own queue`() async {
    let future = Future()
    let done = Gate("task done")
    future.onComplete {
      Task {
        #expect(await future.outcome == .completed)
        #expect(await future.handlersFinished == .completed)
        #expect(await future.withTurn { future.isCompleted })
        done.open()
      }
    }
    future.complete()
    await done.passed()
  }

  @Test func `a task that is resumed by a queued decision doesn't hold up the private queue`() async throws {
    for _ in 0..<50 {
      let future = Future()
      let gate = Gate("line")
      future.standStill(until: gate)
      let task = Task {
        try await future.value
        return future.performAndWait { future.isCompleted }
      }
      await Task.yield()
      future.complete()
      gate.open()
      #expect(try await task.value)
    }
  }
}
