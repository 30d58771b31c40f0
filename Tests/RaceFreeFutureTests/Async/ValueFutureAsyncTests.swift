// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

@Suite struct ValueFutureAsyncTests {
  /// The two forms of awaiting, in a form that a test can have as its argument.
  enum Form: CaseIterable, Sendable {
    case value, within, withinNever, withinVeryLong

    func await(_ future: ValueFuture<Int>) async throws -> Int {
      switch self {
      case .value: try await future.value
      case .within: try await future.value(within: .seconds(1_000))
      case .withinNever: try await future.value(within: .seconds(Int64.max))
      case .withinVeryLong: try await future.value(within: .seconds(Int64.max))
      }
    }
  }

  @Test(arguments: [false, true])
  func `a wait with a limit that ends in time leaves no timer`(isCancelled: Bool) async throws {
    try await withManualControl { control in
      let future = ValueFuture<Int>()
      let task = Task { try await future.value(within: .seconds(10)) }
      try await control.clock.timersSet()
      if isCancelled { task.cancel() } else { future.complete(with: 7) }
      _ = await task.result
      #expect(control.clock.timers == [])
    }
  }

  // MARK: Outcomes

  @Test(arguments: Form.allCases)
  func `it brings the value, the error or the reason of a resolved future`(_ form: Form) async throws {
    #expect(try await form.await(.completed(with: 7)) == 7)
    await #expect(throws: Reason("broken")) { try await form.await(.completed(throwing: Reason("broken"))) }
    let cancelled = ValueFuture<Int>()
    cancelled.cancel(throwing: Reason("why"))
    await #expect(throws: Reason("why")) { try await form.await(cancelled) }
  }

  @Test(arguments: Form.allCases)
  func `it brings the value, the error or the reason that comes later`(_ form: Form) async throws {
    let (completed, failed, cancelled) = (ValueFuture<Int>(), ValueFuture<Int>(), ValueFuture<Int>())
    let first = Task { try await form.await(completed) }
    let second = Task { try await form.await(failed) }
    let third = Task { try await form.await(cancelled) }
    await Task.yield()
    completed.complete(with: 7)
    failed.complete(throwing: Reason("broken"))
    cancelled.cancel(throwing: Reason("why"))
    #expect(try await first.value == 7)
    await #expect(throws: Reason("broken")) { try await second.value }
    await #expect(throws: Reason("why")) { try await third.value }
  }

  @Test func `many tasks get the same value`() async {
    let future = ValueFuture<Int>()
    let sum = await withTaskGroup(of: Int.self) { group in
      for index in 0..<1_000 {
        group.addTask {
          (try? index.isMultiple(of: 2) ? await future.value : await future.value(within: .seconds(1_000))) ?? 0
        }
      }
      future.complete(with: 7)
      return await group.reduce(0, +)
    }
    #expect(sum == 7_000)
  }

  // MARK: The task is cancelled

  @Test(arguments: Form.allCases)
  func `a cancelled task leaves with CancellationError, and the others stay`(_ form: Form) async throws {
    let future = ValueFuture<Int>(label: "f")
    let leaver = Task { try await form.await(future) }
    let stayer = Task { try await form.await(future) }
    await Task.yield()
    leaver.cancel()
    await #expect(throws: CancellationError.self) { try await leaver.value }
    #expect(future.isPending)
    #expect(future.description == "ValueFuture<Int>(\"f\", pending)")
    future.complete(with: 7)
    #expect(try await stayer.value == 7)
  }

  /// Awaits in a task that has been cancelled.
  private func inCancelledTask(_ body: @escaping @Sendable () async throws -> Int) async -> Result<Int, any Error> {
    let go = Gate("the task is cancelled")
    let task = Task {
      await go.passed()
      #expect(Task.isCancelled)
      return try await body()
    }
    task.cancel()
    go.open()
    return await task.result
  }

  @Test(arguments: Form.allCases)
  func `a task that was cancelled before leaves a pending future at once`(_ form: Form) async {
    let future = ValueFuture<Int>()
    let result = await inCancelledTask { try await form.await(future) }
    #expect(result.error is CancellationError)
    #expect(future.isPending)
  }

  @Test(arguments: Form.allCases)
  func `a value that is there is returned also in a cancelled task`(_ form: Form) async {
    let completed = await inCancelledTask { try await form.await(.completed(with: 7)) }
    #expect(completed.value == 7)
    let failed = await inCancelledTask { try await form.await(.completed(throwing: Reason("broken"))) }
    #expect(reason(failed.error) == Reason("broken"))
    let future = ValueFuture<Int>()
    future.cancel(throwing: Reason("its own"))
    let cancelled = await inCancelledTask { try await form.await(future) }
    #expect(reason(cancelled.error) == Reason("its own"))
  }

  @Test(arguments: Form.allCases)
  func `a task that left is forgotten by the future`(_ form: Form) async throws {
    let future = ValueFuture<Int>(label: "f")
    let live = LiveCount()
    for _ in 0..<100 {
      let task = Task { [instance = live.make()] in
        defer { instance.touch() }
        return try await form.await(future)
      }
      await Task.yield()
      task.cancel()
      _ = await task.result
    }
    try await eventually("everything is released") { live.value == 0 }
    #expect(future.description == "ValueFuture<Int>(\"f\", pending)")
  }

  // MARK: Time

  @Test func `at the deadline it throws TimeoutError, although the work ignores cancellation`() async throws {
    let go = Gate("the work may end")
    let future = ValueFuture<Int>.background(label: "stubborn") { _ in
      go.wait()
      return 7
    }
    await #expect(throws: TimeoutError(interval: .milliseconds(5), label: "stubborn")) {
      try await future.value(within: .milliseconds(5))
    }
    #expect(future.isPending)
    #expect(future.description == "ValueFuture<Int>(\"stubborn\", pending)")
    go.open()
    #expect(try await future.value == 7)
  }

  @Test func `it isn't shorter than asked`() async {
    let future = ValueFuture<Int>()
    let start = DispatchTime.now()
    _ = try? await future.value(within: .milliseconds(20))
    #expect(DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds >= 20_000_000)
  }

  @Test(arguments: [Duration.seconds(0), .milliseconds(-5), .seconds(Int64.min), .nanoseconds(Int64.min)])
  func `no time at all doesn't wait, but takes what is there`(_ interval: Duration) async throws {
    let pending = ValueFuture<Int>(label: "pending")
    await #expect(throws: TimeoutError(interval: interval, label: "pending")) {
      try await pending.value(within: interval)
    }
    #expect(pending.isPending)
    #expect(try await ValueFuture.completed(with: 7).value(within: interval) == 7)
  }

  @Test func `without a label the error tells the place`() async {
    let line: UInt = #line + 1
    let future = ValueFuture<Int>()
    await #expect(throws: TimeoutError(interval: .seconds(0), label: "made at \(#fileID):\(line)")) {
      try await future.value(within: .seconds(0))
    }
  }

  @Test func `nothing is left behind at the deadline`() async throws {
    func use() async -> WeakWork {
      let future = ValueFuture<Int>(label: "f")
      for _ in 0..<100 { _ = try? await future.value(within: .nanoseconds(1)) }
      #expect(future.description == "ValueFuture<Int>(\"f\", pending)")
      return WeakWork(future)
    }
    let future = await use()
    try await eventually("the future is released") { future.isGone }
  }

  @Test(arguments: Form.allCases)
  func `its timer doesn't keep the future when the value is there`(_ form: Form) async throws {
    func use() async -> WeakWork {
      let future = ValueFuture<Int>()
      let task = Task { try await form.await(future) }
      await Task.yield()
      future.complete(with: 7)
      _ = await task.result
      return WeakWork(future)
    }
    let future = await use()
    try await eventually("the future is released") { future.isGone }
  }

  @Test func `whether the value, the deadline or the task's end comes first, it tells the truth`() async {
    for round in 0..<iterations(500) {
      let future = ValueFuture<Int>()
      let task = Task { try await future.value(within: .microseconds(round % 50)) }
      let completing = Task {
        for _ in 0..<(round % 4) { await Task.yield() }
        return future.tryComplete(with: 7)
      }
      let isCancelled = round.isMultiple(of: 3)
      if isCancelled { task.cancel() }
      #expect(await completing.value)
      switch await task.result {
      case .success(let value): #expect(value == 7)
      case .failure(let error): #expect(error is TimeoutError || (isCancelled && error is CancellationError))
      }
    }
  }

  // MARK: Lazy

  @Test(arguments: Form.allCases)
  func `a task that is cancelled already doesn't start lazy work`(_ form: Form) async {
    let log = EventLog<String>()
    let future = ValueFuture<Int>.lazy { _ in
      log.add("it was asked for")
      return 7
    }
    let result = await inCancelledTask { try await form.await(future) }
    #expect(result.error is CancellationError)
    log.add("the task has left")
    #expect(await onThread { try? future.wait() } == 7)
    #expect(log.events == ["the task has left", "it was asked for"])
  }

  @Test(arguments: Form.allCases)
  func `it starts lazy work, on a global queue`(_ form: Form) async throws {
    let future = ValueFuture<Int>.lazy { _ in
      dispatchPrecondition(condition: .onQueue(.global()))
      return 7
    }
    #expect(future.isPending)
    #expect(try await form.await(future) == 7)
  }
}
