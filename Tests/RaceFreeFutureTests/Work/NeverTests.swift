// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

/// `CancelToken.never`, the default for parameters.
@Suite struct NeverTests {
  private let never = CancelToken.never

  @Test func `it can't be cancelled in any way`() async throws {
    never.cancel()
    never.cancel(throwing: Reason("no"))
    never.cancel { Issue.record("a handler of what can't be cancelled ran") }
    #expect(!never.tryCancel())
    #expect(!never.cancel(after: .milliseconds(1)).unregister())
    #expect(!never.cancel(after: .seconds(0)).unregister())
    never.performAndWait { never.cancel() }
    #expect(await never.withTurn { never.isPending })
    let source = Future()
    source.cancelToken.cascadeCancellation(to: never)
    source.cancel()
    #expect(never.isPending && !never.isCancelled && !never.isCompleted)
    #expect(never.cancellationReason == nil)
    try never.checkCancellation()
    #expect(never.description == "Future(\"never\", pending)")
  }

  @Test func `it keeps no handlers`() {
    let live = LiveCount()
    for context in [HandlerPlace.serialQueue, .inline, .main] {
      let registrations = [
        never.onComplete(on: context) { [instance = live.make()] in instance.touch() },
        never.onCancel(on: context) { [instance = live.make()] in instance.touch() },
        never.onCancel(on: context) { [instance = live.make()] _ in instance.touch() },
        never.onCleanUp(on: context) { [instance = live.make()] in instance.touch() },
        never.onCleanUp(on: context) { [instance = live.make()] _ in instance.touch() },
      ]
      #expect(live.value == 0)
      #expect(registrations.allSatisfy { !$0.unregister() })
    }
  }

  @Test func `a task that waits for a block of it continues`() async {
    let continues = Gate("the task continues")
    Task {
      await never.withTurn {}
      continues.open()
    }
    await continues.passed()
  }

  @Test func `its perform blocks run`() async {
    await withCheckedContinuation { done in never.perform { done.resume() } }
    await withCheckedContinuation { done in never.unlessCancelled { done.resume() } }
    #expect(await never.withTurn { 3 } == 3)
    #expect(never.performAndWait { 5 } == 5)
    #expect(never.unlessCancelledAndWait { 6 } == 6)
  }

  @Test func `its perform blocks don't wait for each other`() async {
    let isInside = Gate("inside"), mayLeave = Gate("leave")
    startThread {
      CancelToken.never.performAndWait {
        isInside.open()
        mayLeave.wait()
      }
    }
    await isInside.passed()
    #expect(await onThread { CancelToken.never.unlessCancelledAndWait { 1 } } == 1)
    #expect(await never.withTurn { 2 } == 2)
    mayLeave.open()
  }

  @Test func `a dispatch source that is attached to it goes on`() async {
    let source = DispatchSource.makeTimerSource()
    await withCheckedContinuation { fired in
      source.setEventHandler { fired.resume() }
      source.schedule(deadline: .now())
      never.attach(source)
    }
    #expect(!source.isCancelled)
    source.cancel()
  }

  @Test func `work held by it is started, never stopped, and not kept`() {
    let live = LiveCount()
    let log = EventLog<String>()
    never.attach {
      log.add("start")
      return live.make()
    } stop: { _ in
      log.add("stop")
    }
    never.cancel()
    #expect(log.events == ["start"])
    #expect(live.value == 0)
  }

  @Test func `what is linked to it lives by itself and isn't kept`() {
    func dropped() -> Weak<Future> {
      let child = Future(linkedTo: never)
      #expect(child.isPending)
      never.cascadeCancellation(to: child)
      return Weak(child)
    }
    #expect(dropped().isGone)
    let parent = Future()
    let child = Future(linkedTo: never, parent.cancelToken)
    parent.cancel(throwing: Reason("the other parent"))
    #expect(reason(child.cancellationReason) == Reason("the other parent"))
  }

  @Test func `combined with others it counts as pending forever`() {
    let first = Future()
    let all = Future.all([never, first.cancelToken])
    let any = Future.any([never, first.cancelToken])
    first.complete()
    #expect(all.isPending)
    #expect(any.isCompleted)
    let second = Future()
    let neither = Future.any([never, second.cancelToken])
    second.cancel()
    #expect(neither.isPending)
  }

  @Test func `a wait with a timeout ends`() async {
    #expect(await onThread { CancelToken.never.wait(timeout: .milliseconds(1)) } == nil)
    #expect(await onThread { CancelToken.never.wait(timeout: .seconds(0)) } == nil)
  }

  @Test func `a task that awaits it waits until the task is cancelled`() async {
    let task = Task { try await CancelToken.never.value }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
