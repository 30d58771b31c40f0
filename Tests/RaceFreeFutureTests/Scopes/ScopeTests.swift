// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

@Suite struct ScopeTests {
  @Test func `cancelling a scope cancels all that is in it, for the same reason`() async {
    let scope = Scope(label: "scope")
    let (future, value, token) = (Future(), ValueFuture<Int>(), Future())
    scope.add(future)
    scope.add(value)
    scope.add(token.cancelToken)
    let task = Task { try await Task.sleep(for: .seconds(1_000_000)) }
    scope.add(task)
    #expect(scope.count == 4 && scope.count > 0)
    scope.cancel(throwing: Reason("over"))
    for work: any CancellableWork in [future, value, token] {
      #expect(reason(work.cancellationReason) == Reason("over"))
      #expect(work.cancellation?.path == ["scope"])
    }
    #expect(task.isCancelled)
    await scope.drain()
    #expect(scope.count == 0)
  }

  @Test func `a scope that nobody holds passes on to what depends on it`() async throws {
    let server = Scope()
    func request() -> Future { Future(linkedTo: Scope(in: server, label: "connection")) }
    let (first, second) = (request(), request())
    #expect(second.isPending)
    server.cancel(throwing: Reason("over"))
    #expect(reason(first.cancellationReason) == Reason("over") && reason(second.cancellationReason) == Reason("over"))
    try withManualControl { control in
      let scope = Scope()
      scope.cancel(at: Deadline.now + .seconds(1))
      let instant = scope.deadline
      let future = { [scope] in Future(linkedTo: scope) }()
      #expect(future.deadline == instant)
    }
    await server.drain()
  }

  @Test func `what is added to a cancelled scope is cancelled at once`() async {
    let scope = Scope()
    scope.cancel(throwing: Reason("over"))
    let future = Future()
    scope.add(future)
    #expect(reason(future.cancellationReason) == Reason("over"))
    let log = EventLog<String>()
    let started = scope.addTask { log.add("started") }
    #expect(reason(started.cancellationReason) == Reason("over"))
    let task = Task { try? await Task.sleep(for: .seconds(1_000_000)) }
    scope.add(task)
    #expect(task.isCancelled)
    await scope.drain()
    #expect(log.events.isEmpty && scope.count == 0)
  }

  @Test func `what has ended leaves the scope by itself`() async {
    let scope = Scope()
    let (completed, cancelled) = (Future(), Future())
    scope.add(completed)
    scope.add(cancelled)
    completed.complete()
    #expect(scope.count == 1)
    cancelled.cancel()
    #expect(scope.count == 0 && scope.isPending)
    scope.add(completed)
    #expect(scope.count == 0)
  }

  @Test func `what is decided stays in the scope until its handlers have returned`() async {
    let scope = Scope()
    let future = Future()
    let (entered, gate) = (Gate("handler runs"), Gate("handler may end"))
    future.onComplete {
      entered.open()
      gate.wait()
    }
    scope.add(future)
    future.complete()
    await entered.passed()
    #expect(scope.count == 1)
    gate.open()
    await scope.drain()
    #expect(scope.count == 0)
  }

  @Test func `what is dropped undecided leaves the scope, which doesn't keep it`() {
    let scope = Scope()
    var future: Future? = Future()
    let weak = future.map(Weak.init)
    if let future { scope.add(future) }
    #expect(scope.count == 1)
    future = nil
    #expect(weak?.isGone == true && scope.count == 0)
  }

  @Test func `what is taken out is neither cancelled nor waited for`() async throws {
    let scope = Scope()
    let future = Future()
    let membership = scope.add(future)
    membership?.leave()
    membership?.leave()
    #expect(scope.count == 0)
    scope.cancel()
    #expect(future.isPending)
    try await scope.drain(within: .zero)
  }

  @Test func `what is taken out keeps nothing of the scope, however long it lives`() {
    let (future, live) = (Future(), LiveCount())
    var activities: [Activity] = []
    for _ in 0..<3 {
      let scope = Scope()
      scope.onCancel { [instance = live.make()] in instance.touch() }
      scope.add(future)?.leave()
      // Until it ends, a dropped scope is undecided and has its handlers.
      activities.append(scope.beginActivity("open"))
    }
    #expect(live.value == 3 && activities.count == 3)
    activities.removeAll()
    #expect(live.value == 0 && future.isPending)
  }

  @Test func `a scope is not added to itself, and neither is what can't end`() {
    let scope = Scope()
    #expect(scope.add(scope) == nil && scope.add(scope.cancelToken) == nil && scope.add(CancelToken.never) == nil)
    #expect(scope.count == 0)
  }

  @Test func `a scope that lives long is as small as before when many have come and gone`() {
    let scope = Scope()
    let live = LiveCount()
    for _ in 0..<iterations(10_000) {
      let future = Future()
      let instance = live.make()
      future.onCleanUp(on: .inline) { instance.touch() }
      scope.add(future)
      future.complete()
    }
    #expect(scope.count == 0 && live.value == 0)
  }

  // MARK: Tasks

  @Test func `a task of the scope brings its value, and its error touches nobody else`() async throws {
    let scope = Scope()
    let number = scope.addTask { 42 }
    let failing = scope.addTask { throw Reason("no") }
    #expect(try await number.value == 42)
    await #expect(throws: Reason("no")) { try await failing.value }
    await scope.drain()
    #expect(scope.isPending && scope.count == 0)
  }

  @Test func `a task stays in the scope until it has returned, although it ignores its cancellation`() async {
    let scope = Scope()
    let (entered, gate) = (Gate("task runs"), Gate("task may end"))
    let log = EventLog<String>()
    scope.addTask {
      entered.open()
      await gate.passed()
      log.add("task")
    }
    let own = Task {
      await gate.passed()
      log.add("task")
    }
    scope.add(own)
    await entered.passed()
    scope.cancel()
    #expect(scope.count == 2)
    let waiter = Task {
      await scope.drain()
      log.add("drained")
    }
    gate.open()
    await waiter.value
    #expect(log.events == ["task", "task", "drained"])
  }

  // MARK: Scopes inside

  @Test func `a scope inside is cancelled and stopped with the one around it, and not the other way round`() {
    let outer = Scope(label: "outer")
    let (first, second) = (Scope(in: outer), Scope(in: outer))
    first.stopToken.cancel()
    first.cancel()
    #expect(outer.isPending && outer.stopToken.isPending && second.isPending)
    outer.stopToken.cancel()
    #expect(second.stopToken.isCancelled && second.isPending)
    outer.cancel()
    #expect(second.isCancelled && Scope(in: outer).isCancelled)
  }

  @Test func `a scope inside in which nothing is open keeps nobody waiting`() async throws {
    let outer = Scope()
    let inner = Scope(in: outer)
    try await outer.drain(within: .zero)
    let activity = inner.beginActivity("open")
    #expect(outer.count == 1 && inner.count == 1)
    await #expect(throws: DrainError.self) { try await outer.drain(within: .zero) }
    activity.end()
    try await outer.drain(within: .zero)
    #expect(outer.count == 0 && inner.count == 0)
  }

  @Test func `the handlers of scopes at any depth are waited for`() async {
    let outer = Scope()
    let innermost = Scope(in: Scope(in: outer))
    let (entered, gate) = (Gate("handler runs"), Gate("handler may end"))
    let log = EventLog<String>()
    innermost.onCancel {
      entered.open()
      gate.wait()
      log.add("handler")
    }
    let waiter = Task {
      await entered.passed()
      await outer.drain()
      log.add("drained")
    }
    innermost.cancel()
    await entered.passed()
    gate.open()
    await waiter.value
    #expect(log.events == ["handler", "drained"])
  }

  @Test func `a line of many scopes is made, cancelled and released without exhausting the stack`() async {
    for cancels in [false, true] {
      await onThread(stackSize: 128 << 10) {
        var last = Scope()
        let first = last.cancelToken
        for _ in 0..<5_000 { last = Scope(in: last) }
        last.beginActivity("innermost").end()
        if cancels { first.cancel() }
        #expect(last.isCancelled == cancels)
      }
    }
  }

  // MARK: The end

  @Test func `dropping a scope leaves what is in it alone, and dropping its AutoCancel cancels that`() {
    var scope: Scope? = Scope()
    var life = scope?.cancelOnDeinit()
    let future = Future()
    scope?.add(future)
    scope = nil
    #expect(future.isPending && life != nil)
    life = nil
    #expect(future.isCancelled)
  }

  @Test func `a scope that is dropped with nothing in it is completed, else it goes on`() {
    let outer = Scope()
    #expect(Scope(in: outer).cancelToken.isCompleted)
    var scope: Scope? = Scope(in: outer)
    let token = scope?.cancelToken
    let activity = scope?.beginActivity("open")
    scope = nil
    #expect(token?.isPending == true)
    outer.cancel()
    #expect(token?.isCancelled == true)
    activity?.end()
  }

  @Test func `what is left in a dropped scope is stopped with the scope around it`() {
    let outer = Scope()
    let member = Future()
    let (stop, activity, innermost) = {
      let scope = Scope(in: outer)
      scope.add(member)
      scope.stopToken.onCancel(on: .inline) { member.complete() }
      return (scope.stopToken, scope.beginActivity("open"), Scope(in: scope))
    }()
    #expect(stop.isPending)
    outer.stopToken.cancel()
    #expect(stop.isCancelled && innermost.stopToken.isCancelled && member.isCompleted && innermost.isPending)
    activity.end()
  }

  @Test func `the stop of a scope is over with the last work of the dropped scope, and everything is released`() {
    let live = LiveCount()
    let outer = Scope()
    var activity: Activity?
    let stop = {
      let scope = Scope(in: outer)
      scope.stopToken.onCancel { [instance = live.make()] in instance.touch() }
      scope.onCancel { [instance = live.make()] in instance.touch() }
      activity = scope.beginActivity("open")
      return scope.stopToken
    }()
    #expect(activity != nil && stop.isPending && live.value == 2)
    activity = nil
    #expect(stop.isCompleted && live.value == 0 && outer.isPending)
  }

  @Test func `what waits for the stop of a dropped scope may know the scope, and is released as well`() {
    let live = LiveCount()
    let outer = Scope()
    var activity: Activity?
    do {
      let scope = Scope(in: outer)
      let token = scope.cancelToken
      scope.stopToken.onCancel { [instance = live.make()] in
        instance.touch()
        token.cancel()
      }
      activity = scope.beginActivity("open")
    }
    #expect(activity != nil && live.value == 1)
    activity = nil
    #expect(live.value == 0 && outer.isPending)
  }

  @Test func `a dropped scope still hands on the cancellation of the one around it`() {
    let outer = Scope()
    let (future, innermost) = (Future(), Scope(in: Scope(in: outer)))
    Scope(in: outer).add(future)
    outer.cancel()
    #expect(future.isCancelled && innermost.isCancelled)
  }

  @Test func `a scope with nothing in it is released, and so are the ones around it`() {
    let live = LiveCount()
    do {
      let outer = Scope()
      let inner = Scope(in: outer)
      let instance = live.make()
      inner.onCancel { instance.touch() }
      outer.onCancelTask { _ in instance.touch() }
      inner.add(Future())
    }
    #expect(live.value == 0)
  }

  @Test func `it describes itself`() {
    let scope = Scope(label: "server")
    let activity = scope.beginActivity("open")
    #expect("\(scope)" == "Scope(\"server\", pending, 1 open)")
    activity.end()
    scope.cancel(throwing: Reason("over"))
    #expect("\(scope)" == "Scope(\"server\", cancelled (Reason(text: \"over\")), 0 open)")
  }
}
