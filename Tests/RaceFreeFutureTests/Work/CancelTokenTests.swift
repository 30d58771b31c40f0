// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

@Suite struct CancelTokenTests {
  @Test func `tokens are equal if they belong to the same future`() {
    let (first, second) = (Future(), Future())
    #expect(first.cancelToken == first.cancelToken)
    #expect(first.cancelToken != second.cancelToken)
    #expect(first.cancelToken.hashValue == first.cancelToken.hashValue)
    let tokens: Set = [first.cancelToken, second.cancelToken, first.cancelToken]
    #expect(tokens.count == 2)
    #expect(CancelToken.never == .never)
    #expect(CancelToken.never == CancelToken.never)
  }

  @Test func `a token keeps its future`() {
    func make() -> (CancelToken, Weak<Future>) {
      let future = Future()
      return (future.cancelToken, Weak(future))
    }
    let (token, future) = make()
    #expect(!future.isGone)
    #expect(token.isPending)
  }

  @Test func `it cancels`() async {
    let first = Future()
    first.cancelToken.cancel()
    #expect(first.cancellationReason is CancellationError)
    let second = Future()
    second.cancelToken.cancel(throwing: Reason("why"))
    #expect(reason(second.cancellationReason) == Reason("why"))
    let third = Future()
    #expect(third.cancelToken.tryCancel(throwing: Reason("why")))
    #expect(!third.cancelToken.tryCancel())
    #expect(reason(third.cancellationReason) == Reason("why"))
    let fourth = Future()
    let log = EventLog<Int>()
    fourth.cancelToken.cancel { log.add(1) }
    #expect(await fourth.cancelToken.handlersFinished == .cancelled)
    #expect(log.events == [1])
    let fifth = Future(label: "fifth")
    #expect(!fifth.cancelToken.cancel(after: .seconds(0)).unregister())
    #expect(fifth.cancellationReason as? TimeoutError == TimeoutError(interval: .seconds(0), label: "fifth"))
    let sixth = Future()
    #expect(sixth.cancelToken.cancel(after: .seconds(3_600), throwing: Reason("late")).unregister())
    #expect(sixth.isPending)
  }

  @Test(arguments: [Future.Outcome.completed, .cancelled])
  func `it observes`(_ outcome: Future.Outcome) async {
    let future = Future()
    let token = future.cancelToken
    let log = EventLog<String>()
    token.onComplete(on: .inline) { log.add("complete, inline") }
    token.onCancel(on: .inline) { log.add("cancel, inline") }
    token.onComplete { log.add("complete") }
    token.onCancel { log.add("cancel") }
    token.onCancel { log.add("cancel: \($0 is CancellationError)") }
    token.onCleanUp { log.add("clean up") }
    token.onCleanUp { log.add("clean up: \($0)") }
    #expect(token.onCleanUp { log.add("removed") }.unregister())
    future.resolve(outcome)
    #expect(await token.handlersFinished == outcome)
    switch outcome {
    case .completed:
      #expect(log.events == ["complete, inline", "complete", "clean up", "clean up: completed"])
    case .cancelled:
      #expect(log.events == ["cancel, inline", "cancel", "cancel: true", "clean up", "clean up: cancelled"])
    }
  }

  @Test func `it polls`() throws {
    let future = Future(label: "f")
    let token = future.cancelToken
    #expect(token.isPending && !token.isCompleted && !token.isCancelled && token.cancellationReason == nil)
    try token.checkCancellation()
    #expect(token.description == future.description)
    future.cancel(throwing: Reason("why"))
    #expect(!token.isPending && !token.isCompleted && token.isCancelled)
    #expect(reason(token.cancellationReason) == Reason("why"))
    #expect(throws: Reason("why")) { try token.checkCancellation() }
    let completed = Future()
    completed.complete()
    #expect(completed.cancelToken.isCompleted && !completed.cancelToken.isPending)
  }

  @Test func `it inspects, and its blocks can cancel`() async {
    let future = Future()
    let token = future.cancelToken
    let log = EventLog<String>()
    let later: () -> Void = { token.perform { log.add("pending: \(token.isPending), \(token.isCompleted)") } }
    later()
    #expect(await token.withTurn { !token.isCancelled && token.cancellationReason == nil })
    #expect(token.unlessCancelledAndWait { 2 } == 2)
    future.onCancel(on: .inline) { log.add("handler") }
    let decided = token.performAndWait {
      token.cancel(throwing: Reason("inside"))
      log.add("end of block")
      return token.isCancelled && reason(token.cancellationReason) == Reason("inside")
    }
    #expect(decided)
    let never: () -> Void = { token.unlessCancelled { log.add("of a cancelled future") } }
    never()
    #expect(token.unlessCancelledAndWait { 2 } == nil)
    #expect(log.events == ["pending: true, false", "end of block", "handler"])
  }

  @Test func `its waiting calls throw what their blocks throw`() async {
    let token = Future().cancelToken
    let log = EventLog<Reason>()
    do throws(Reason) {
      try token.performAndWait { () throws(Reason) in throw Reason("1") }
    } catch { log.add(error) }
    do throws(Reason) {
      try await token.withTurn { () throws(Reason) in throw Reason("2") }
    } catch { log.add(error) }
    do throws(Reason) {
      _ = try token.unlessCancelledAndWait { () throws(Reason) in throw Reason("3") }
    } catch { log.add(error) }
    #expect(log.events.map(\.text) == ["1", "2", "3"])
  }

  @Test func `it holds work`() {
    let future = Future()
    let log = EventLog<Int>()
    future.cancelToken.attach {
      1
    } stop: {
      log.add($0)
    }
    future.cancel()
    #expect(log.events == [1])
    #expect(throws: Reason("no start")) {
      try Future().cancelToken.attach { () throws(Reason) -> Int in
        throw Reason("no start")
      } stop: { _ in
      }
    }
  }

  @Test func `it cascades`() {
    let (first, second, third) = (Future(), Future(), Future())
    first.cancelToken.cascadeCancellation(to: second)
    second.cancelToken.cascadeCancellation(to: third.cancelToken)
    first.cancel(throwing: Reason("top"))
    #expect(reason(third.cancellationReason) == Reason("top"))
  }

  @Test func `it waits`() async throws {
    let completed = Future()
    completed.complete()
    let token = completed.cancelToken
    #expect(await onThread { token.wait() } == .completed)
    #expect(await onThread { token.wait(timeout: .seconds(0)) } == .completed)
    #expect(await token.outcome == .completed)
    try await token.value
    let cancelled = Future()
    cancelled.cancel(throwing: Reason("why"))
    await #expect(throws: Reason("why")) { try await cancelled.cancelToken.value }
    let pending = Future()
    #expect(await onThread { pending.cancelToken.wait(timeout: .milliseconds(1)) } == nil)
  }
}
