// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

@Suite struct ActivityTests {
  @Test(arguments: [Future.Outcome.completed, .cancelled])
  func `a future is open until its activities have ended`(_ outcome: Future.Outcome) async {
    let future = Future()
    let log = EventLog<String>()
    let (first, second) = (future.beginActivity("first"), future.beginActivity("second"))
    future.onCleanUp(on: .inline) { log.add("handler") }
    let waiter = Task {
      _ = await future.handlersFinished
      log.add("finished")
    }
    future.resolve(outcome)
    first.end()
    // Does nothing more: the second one keeps it open.
    first.end()
    log.add("second")
    second.end()
    await waiter.value
    #expect(log.events == ["handler", "second", "finished"])
  }

  @Test func `an activity that is begun while the future is open is waited for as well`() async {
    let future = Future()
    let log = EventLog<String>()
    let first = future.beginActivity("first")
    future.complete()
    let waiter = Task {
      _ = await future.handlersFinished
      log.add("finished")
    }
    let second = future.beginActivity("second")
    first.end()
    log.add("second")
    second.end()
    await waiter.value
    #expect(log.events == ["second", "finished"])
  }

  @Test func `an activity ends when its last reference goes`() async {
    let future = Future()
    var activity: Activity? = future.beginActivity("dropped")
    future.cancel()
    await #expect(throws: DrainError.self) { try await future.drain(within: .zero) }
    #expect(activity != nil)
    activity = nil
    await future.drain()
    #expect(await future.handlersFinished == .cancelled)
  }

  @Test func `an activity keeps its future and nothing else is kept`() {
    var future: Future? = Future()
    let weak = future.map(Weak.init)
    var activity = future?.beginActivity("keeps")
    future = nil
    #expect(weak?.isGone == false)
    activity?.end()
    #expect(activity != nil)
    activity = nil
    #expect(weak?.isGone == true)
  }

  @Test func `what can't be resolved has no activities`() async {
    let activity = CancelToken.never.beginActivity("nothing")
    await CancelToken.never.drain()
    activity.end()
  }

  // MARK: Asynchronous handlers

  @Test func `an asynchronous handler is told the reason and waited for`() async {
    let future = Future()
    let gate = Gate("handler")
    let log = EventLog<String>()
    future.onCancelTask { error in
      await gate.passed()
      log.add("\(reason(error)?.text ?? "")")
    }
    future.cancel(throwing: Reason("why"))
    let waiter = Task {
      _ = await future.handlersFinished
      log.add("finished")
    }
    gate.open()
    await waiter.value
    #expect(log.events == ["why", "finished"])
  }

  @Test func `an asynchronous handler is not cancelled by what it cleans up after`() async throws {
    let (future, gate) = (Future(), Gate("never needed"))
    let isCancelled = ValueFuture<Bool>()
    future.onCancelTask { _ in isCancelled.complete(with: Task.isCancelled) }
    let task = Task {
      await withTaskCancellationHandler {
        await gate.passed()
      } onCancel: {
        future.cancel()
      }
    }
    task.cancel()
    #expect(try await !isCancelled.value)
    gate.open()
    await task.value
  }

  @Test func `on the other outcome an asynchronous handler is released and doesn't run`() async {
    let (future, live) = (Future(), LiveCount())
    let log = EventLog<String>()
    do {
      let instance = live.make()
      future.onCancelTask { _ in
        instance.touch()
        log.add("cancelled")
      }
    }
    future.complete()
    await future.drain()
    #expect(live.value == 0 && log.events.isEmpty)
  }

  @Test func `an asynchronous handler can be unregistered, and added late`() async {
    let future = Future()
    let log = EventLog<String>()
    let registration = future.onCancelTask { _ in log.add("taken back") }
    #expect(registration.unregister())
    future.cancel()
    future.onCancelTask { _ in log.add("late") }
    await future.drain()
    #expect(log.events == ["late"])
  }

  @Test func `an asynchronous handler doesn't keep its future`() {
    var future: Future? = Future()
    let weak = future.map(Weak.init)
    let live = LiveCount()
    do {
      let instance = live.make()
      future?.onCancelTask { _ in instance.touch() }
    }
    future = nil
    #expect(weak?.isGone == true && live.value == 0)
  }

  // MARK: The library's own work

  @Test func `a cancelled background future is open while its work runs`() async {
    let (entered, gate) = (Gate("work runs"), Gate("work may end"))
    let log = EventLog<String>()
    let future = ValueFuture<Void>.background { _ in
      entered.open()
      gate.wait()
      log.add("work")
    }
    await entered.passed()
    future.cancel()
    let waiter = Task {
      await future.drain()
      log.add("drained")
    }
    gate.open()
    await waiter.value
    #expect(log.events == ["work", "drained"])
  }

  @Test func `a cancelled task future is open while its task runs`() async {
    let (entered, gate) = (Gate("task runs"), Gate("task may end"))
    let log = EventLog<String>()
    let future = ValueFuture<Void>.task {
      entered.open()
      await gate.passed()
      log.add("task")
    }
    await entered.passed()
    future.cancel()
    let waiter = Task {
      await future.drain()
      log.add("drained")
    }
    gate.open()
    await waiter.value
    #expect(log.events == ["task", "drained"])
  }
}
