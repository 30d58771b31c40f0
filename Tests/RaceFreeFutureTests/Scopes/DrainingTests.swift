// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFutureTesting
import TestSupport
import Testing

@testable import RaceFreeFuture

@Suite struct DrainingTests {
  @Test func `an empty scope is drained, and a cancelled one when its handlers have returned`() async throws {
    let scope = Scope()
    await scope.drain()
    try await scope.drain(within: .zero)
    let (entered, gate) = (Gate("handler runs"), Gate("handler may end"))
    let log = EventLog<String>()
    scope.onCancel {
      entered.open()
      gate.wait()
      log.add("handler")
    }
    scope.cancel()
    await entered.passed()
    let error = try await #require(throws: DrainError.self) { try await scope.drain(within: .zero) }
    #expect(error.remaining.count == 1 && error.remaining.first?.kind == .ending)
    let waiter = Task {
      await scope.drain()
      log.add("drained")
    }
    gate.open()
    await waiter.value
    #expect(log.events == ["handler", "drained"])
  }

  @Test func `what is added meanwhile is waited for as well`() async {
    let scope = Scope()
    let log = EventLog<String>()
    let (first, second) = (Future(), Future())
    scope.add(first)
    first.onComplete(on: .inline) {
      scope.add(second)
      log.add("first")
    }
    let waiter = Task {
      await scope.drain()
      log.add("drained")
    }
    await Task.yield()
    first.complete()
    log.add("second")
    second.complete()
    await waiter.value
    #expect(log.events == ["first", "second", "drained"])
  }

  @Test func `a token that is drained has to be decided first`() async throws {
    let future = Future(label: "upload")
    let error = try await #require(throws: DrainError.self) { try await future.drain(within: .zero) }
    #expect(error.origin.label == "upload" && error.interval == .zero)
    #expect(error.remaining.map(\.kind) == [.pending] && error.remaining.map(\.origin.label) == ["upload"])
    let waiter = Task { await future.cancelToken.drain() }
    future.complete()
    await waiter.value
  }

  @Test func `in a cancelled task it throws CancellationError, also if there is no time`() async {
    let scope = Scope()
    let member = Future()
    scope.add(member)
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      try await scope.drain(within: .zero)
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    member.complete()
  }

  @Test func `what remains has one line each, whatever their labels are`() async throws {
    let scope = Scope()
    let member = Future(label: "line 1\nline 2\u{1B}[31m")
    scope.add(member)
    let error = await #expect(throws: DrainError.self) { try await scope.drain(within: .zero) }
    let line = try #require(error?.remaining.first).description
    #expect(line.hasPrefix(#"line 1\nline 2\u{1B}[31m is pending"#) && !line.contains { $0.isNewline })
    member.complete()
  }

  @Test func `many wait at the same time, and all go on`() async {
    let scope = Scope()
    let activity = scope.beginActivity("open")
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<10 { group.addTask { await scope.drain() } }
      for _ in 0..<10 { group.addTask { try? await scope.drain(within: .seconds(1_000_000)) } }
      group.addTask { activity.end() }
    }
    #expect(scope.count == 0)
  }

  @Test func `a task that is cancelled leaves at once`() async {
    let scope = Scope()
    let activity = scope.beginActivity("open")
    let waiter = Task { try await scope.drain(within: .seconds(1_000_000)) }
    waiter.cancel()
    await #expect(throws: CancellationError.self) { try await waiter.value }
    activity.end()
    await scope.drain()
  }

  @Test func `waits that were too short leave nothing behind`() async {
    let scope = Scope()
    let future = Future()
    scope.add(future)
    future.cancel()
    let activity = scope.beginActivity("open")
    scope.cancel()
    for _ in 0..<100 { await #expect(throws: DrainError.self) { try await scope.drain(within: .zero) } }
    #expect(!scope.future.hasDrains)
    activity.end()
    await scope.drain()
    #expect(scope.count == 0)
  }

  @Test func `it may be awaited in the handlers of other work`() async {
    let scope = Scope()
    let other = Future()
    let activity = scope.beginActivity("open")
    other.onCancelTask { _ in await scope.drain() }
    other.cancel()
    activity.end()
    await other.drain()
  }

  @Test func `cancelling and draining is one call, which names what is late`() async throws {
    let scope = Scope(label: "server")
    scope.add(Future(label: "quick"))
    let activity = scope.beginActivity("slow")
    let error = try await #require(throws: DrainError.self) {
      try await scope.cancelAndDrain(throwing: Reason("over"), within: .zero)
    }
    #expect(reason(scope.cancellationReason) == Reason("over"))
    #expect(error.remaining.map(\.kind) == [.activity("slow")])
    activity.end()
    try await scope.cancelAndDrain(within: .zero)
  }

  // MARK: Names

  @Test func `it names what is stuck, with site, age and the cancellation that it doesn't follow`() async throws {
    let root = Future(label: "root")
    let scope = Scope(label: "server")
    root.cascadeCancellation(to: scope)
    let (entered, gate) = (Gate("handler runs"), Gate("handler may end"))
    let (ending, waiting) = (Future(label: "ending"), Future(label: "waiting"))
    ending.onCancel {
      entered.open()
      gate.wait()
    }
    let activity = ending.beginActivity("farewell")
    let line: UInt = #line - 1
    waiting.standStill(until: gate)
    scope.add(ending)
    scope.add(waiting)
    root.cancel(throwing: Reason("over"))
    await entered.passed()
    let error = try await #require(throws: DrainError.self) { try await scope.drain(within: .zero) }
    #expect(error.remaining.map(\.kind) == [.ending, .activity("farewell"), .pending])
    #expect(error.remaining.map(\.origin.label) == ["ending", "ending", "waiting"])
    for remaining in error.remaining {
      #expect(reason(remaining.cancellation?.reason) == Reason("over"))
      #expect(remaining.cancellation?.path == ["root", "server"])
      #expect(remaining.age.map { $0 > .zero } == true)
    }
    #expect(error.remaining[1].origin.place == "\(#fileID):\(line)")
    let lines = error.description.split(separator: "\n")
    #expect(lines[0] == "server hasn't ended after 0.0 seconds: 3 things remain")
    #expect(lines[1].hasPrefix("  ending still runs after "))
    #expect(lines[2].hasPrefix("  farewell of ending still runs after "))
    #expect(
      lines[2].hasSuffix(", begun at \(#fileID):\(line), cancelled (Reason(text: \"over\"), through root → server)")
    )
    #expect(lines[3].hasPrefix("  waiting is pending after "))
    activity.end()
    gate.open()
    await scope.drain()
  }

  @Test func `an answer that comes late says both times`() async throws {
    try await withManualControl { control in
      let (scope, executor) = (Scope(label: "server"), HeldExecutor())
      scope.add(Future(label: "member"))
      let activity = scope.beginActivity("open")
      let task = Task(executorPreference: executor) { try await scope.drain(within: .seconds(1)) }
      executor.runWaiting()
      control.clock.advance(by: .seconds(1))
      // The wait has ended, and the task hasn't continued.
      control.clock.advance(by: .seconds(2))
      while executor.count > 0 { executor.runWaiting() }
      let error = try await #require(throws: DrainError.self) { try await task.value }
      let line = "server hasn't ended after 3.0 seconds (limit: 1.0 seconds): 1 thing remains\n"
      #expect(error.description.hasPrefix(line))
      #expect(error.interval == .seconds(1))
      activity.end()
    }
  }

  @Test func `under manual control the ages are those of its clock`() async throws {
    try await withManualControl { control in
      let scope = Scope(label: "server")
      let member = Future(label: "member")
      scope.add(member)
      control.clock.advance(by: .seconds(2))
      let activity = scope.beginActivity("open")
      control.clock.advance(by: .seconds(5))
      let error = try await #require(throws: DrainError.self) { try await scope.drain(within: .zero) }
      let ages = Dictionary(error.remaining.map { ($0.kind, $0.age) }) { age, _ in age }
      #expect(ages == [.activity("open"): .seconds(5), .pending: .seconds(7)])
      activity.end()
    }
  }

  // MARK: Waiting for oneself

  @Test func `a member that waits for its own scope is told so at once`() async throws {
    let outer = Scope(label: "server")
    let inner = Scope(in: outer, label: "connection")
    for scope in [inner, outer] {
      let worker = inner.addTask(name: "worker") { try await scope.drain(within: .seconds(1_000_000)) }
      let error = try await #require(throws: DrainError.self) { try await worker.value }
      #expect(error.remaining.map(\.kind) == [.cycle] && error.origin.label == scope.origin.label)
      let text = "  worker waits for \(scope.origin.label ?? ""), which waits for it after "
      #expect(error.description.split(separator: "\n")[1].hasPrefix(text), "\(error)")
    }
    await outer.drain()
  }

  @Test func `a clean-up that waits for its own work is told so at once`() async throws {
    let (future, log) = (Future(label: "connection"), EventLog<DrainError.Remaining.Kind>())
    future.onCancelTask(name: "goodbye") { _ in
      do { try await future.drain(within: .seconds(1_000_000)) } catch let error as DrainError {
        for remaining in error.remaining { log.add(remaining.kind) }
      } catch {}
    }
    future.cancel()
    await future.drain()
    #expect(log.events == [.cycle])
  }

  @Test func `a task that a member has left behind doesn't keep the member's value`() async throws {
    let (live, mayEnd) = (LiveCount(), Gate("the task may end"))
    let left = EventLog<Task<Void, Never>>()
    do {
      let member = Scope().addTask {
        left.add(Task { await mayEnd.passed() })
        return live.make()
      }
      await member.drain()
    }
    // The member's own task may still be about to return.
    try await eventually("the value is released") { live.value == 0 }
    mayEnd.open()
    await left.events[0].value
  }

  @Test func `a member may wait for other work, and tasks that it has left behind for its scope`() async throws {
    let (scope, other) = (Scope(label: "server"), Scope(label: "other"))
    let (isWaiting, mayEnd) = (Gate("waiting"), Gate("may end"))
    let task = try await scope.addTask(name: "worker") {
      try await other.drain(within: .seconds(1_000_000))
      // It inherits all that the worker has, and outlives it.
      return Task {
        isWaiting.open()
        try await scope.drain(within: .seconds(1_000_000))
      }
    }.value
    let last = scope.addTask(name: "last") { await mayEnd.passed() }
    await isWaiting.passed()
    mayEnd.open()
    try await last.value
    try await task.value
  }

  // MARK: Names

  @Test func `an asynchronous handler is named by its label`() async throws {
    let future = Future(label: "connection")
    let gate = Gate("handler may end")
    future.onCancelTask(name: "goodbye") { _ in await gate.passed() }
    future.cancel()
    let error = try await #require(throws: DrainError.self) { try await future.drain(within: .zero) }
    #expect(error.remaining.map(\.kind) == [.activity("goodbye")])
    gate.open()
    await future.drain()
  }

  @Test func `of many it tells the first ones`() async throws {
    let scope = Scope(label: "server")
    let futures = (0..<30).map { Future(label: "\($0)") }
    for future in futures { scope.add(future) }
    let error = try await #require(throws: DrainError.self) { try await scope.drain(within: .zero) }
    #expect(error.remaining.map(\.origin.label) == (0..<30).map { "\($0)" })
    #expect(error.description.hasSuffix("and 10 more"))
    scope.cancel()
    await scope.drain()
  }

  // MARK: Time

  @Test func `a wait that is too long ends at its time`() async throws {
    try await withManualControl { control in
      let scope = Scope(label: "server")
      let activity = scope.beginActivity("open")
      let waiter = Task { try await scope.drain(within: .seconds(10)) }
      try await control.clock.timersSet()
      control.clock.advance(by: .seconds(9))
      #expect(control.clock.timers.count == 1)
      control.clock.advance(by: .seconds(1))
      let error = try await #require(throws: DrainError.self) { try await waiter.value }
      #expect(error.interval == .seconds(10) && error.remaining.map(\.kind) == [.activity("open")])
      activity.end()
      try await scope.drain(within: .seconds(10))
      #expect(control.clock.timers.isEmpty)
    }
  }

  @Test func `a wait that ends in time leaves no timer`() async throws {
    try await withManualControl { control in
      let scope = Scope(label: "server")
      let activity = scope.beginActivity("open")
      let waiter = Task { try await scope.drain(within: .seconds(10)) }
      try await control.clock.timersSet()
      activity.end()
      try await waiter.value
      #expect(control.clock.timers.isEmpty)
    }
  }
}
