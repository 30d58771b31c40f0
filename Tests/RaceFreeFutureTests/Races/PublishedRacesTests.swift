// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

/// Bugs that were published again and again in asynchronous code, each rebuilt with a future, where it can't happen.
@Suite struct PublishedRacesTests {
  // MARK: Cancelled before the handle was stored

  /// Sends something once, unless it is cancelled before; returns whether it was sent.
  private func post(on queue: DispatchQueue, _ sent: EventLog<Int>) async throws {
    let future = Future(label: "post")
    try await withTaskCancellationHandler {
      let item = DispatchWorkItem {
        future.performAndWait {
          guard future.isPending else { return }
          sent.add(1)
          future.complete()
        }
      }
      future.attach(item, on: queue)
      try await future.value
    } onCancel: {
      future.cancel()
    }
  }

  @Test func `a cancellation that comes before the work was stored stops it`() async {
    let queue = DispatchQueue(label: "network")
    let sent = EventLog<Int>()
    let go = Gate("task is cancelled")
    let task = Task {
      await go.passed()
      try await post(on: queue, sent)
    }
    task.cancel()
    go.open()
    await #expect(throws: CancellationError.self) { try await task.value }
    await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    #expect(sent.events == [])
  }

  @Test func `whenever the cancellation comes, what a caller is told about the sent request is true`() async {
    let queue = DispatchQueue(label: "network")
    for round in 0..<iterations(1_000) {
      let sent = EventLog<Int>()
      let task = Task { try await post(on: queue, sent) }
      for _ in 0..<(round % 5) { await Task.yield() }
      task.cancel()
      let succeeded = (try? await task.value) != nil
      // Behind the item, if there is one.
      await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
      if succeeded { #expect(sent.events == [1]) }
      if sent.events.isEmpty { #expect(!succeeded) }
      #expect(sent.events.count <= 1)
    }
  }

  // MARK: Answered twice, never, or while locks are held the wrong way round

  /// A request that a task awaits.
  private final class Request: Sendable {
    let future = Future(label: "request")
    let answers = EventLog<String>()
    let task: Task<Void, Never>
    private let done = DispatchSemaphore(value: 0)

    init() {
      task = Task { [future, answers, done] in
        await withTaskCancellationHandler {
          do {
            try await future.value
            answers.add("completed")
          } catch {
            answers.add("cancelled")
          }
        } onCancel: {
          future.cancel()
        }
        done.signal()
      }
    }

    /// Waits for the task's end, on a thread that may be blocked.
    ///
    /// A task that is never resumed stops the program.
    func waitForEnd() {
      guard done.wait(timeout: .muchLater) == .success else { fatalError("the task was never resumed: \(future)") }
    }
  }

  @Test func `reply, close and cancellation at the same time resume the caller once`() async {
    await stress(
      rounds: iterations(2_000),
      make: { Request() },
      actors: [
        { $0.future.complete() },
        { $0.task.cancel() },
        { $0.future.cancel() },
      ],
      verify: { request in
        request.waitForEnd()
        #expect(request.answers.events.count == 1)
        // The task's own cancellation may make it leave a future that then completes, but it never hears of a
        // completion that wasn't.
        if request.answers.events == ["completed"] { #expect(request.future.isCompleted) }
      }
    )
  }

  @Test func `no waiter is left behind when it is cancelled in the moment in which it begins to wait`() async {
    let future = Future(label: "gate")
    for _ in 0..<iterations(20) {
      let tasks = (0..<200).map { _ in Task { try await future.value } }
      for task in tasks { task.cancel() }
      for task in tasks {
        await #expect(throws: CancellationError.self) { try await task.value }
      }
    }
    #expect(future.description == "Future(\"gate\", pending)")
    #expect(future.tryComplete())
  }

  @Test func `completing and cancelling from inside everything doesn't lock up with the runtime`() async {
    await stress(
      rounds: iterations(1_000),
      make: { () -> Request in
        let request = Request()
        request.future.onCleanUp { request.task.cancel() }
        request.future.onCancel(on: .inline) { request.future.complete() }
        return request
      },
      actors: [
        { request in request.future.perform { if request.future.isPending { request.future.complete() } } },
        { $0.task.cancel() },
        { _ = $0.future.unlessCancelledAndWait {} },
      ],
      verify: { request in
        request.waitForEnd()
        #expect(request.answers.events.count == 1)
        #expect(request.future.performAndWait { !request.future.isPending })
      }
    )
  }

  @Test func `a cancellation handler that waits for its turn doesn't lock up with who resumes the task`() async {
    struct Contest: Sendable {
      let future = Future(label: "resumed")
      let done = DispatchSemaphore(value: 0)
      let task: Task<Void, Never>
      init() {
        task = Task { [future, done] in
          await withTaskCancellationHandler {
            _ = await future.outcome
          } onCancel: {
            // The runtime holds the task's own lock here, and takes it to resume the task as well.
            future.tryCancel()
          }
          done.signal()
        }
      }
    }
    await stress(
      rounds: iterations(1_000),
      make: { Contest() },
      actors: [
        { contest in contest.future.perform { if contest.future.isPending { contest.future.complete() } } },
        { $0.task.cancel() },
      ],
      verify: { contest in
        guard contest.done.wait(timeout: .muchLater) == .success else { fatalError("locked up: \(contest.future)") }
        #expect(!contest.future.isPending)
      }
    )
  }

  // MARK: Handlers that call back in

  @Test(arguments: [true, false])
  func `a handler may call everything on its own future`(_ isInline: Bool) async {
    let future = Future(label: "re-entered")
    let context: HandlerPlace = isInline ? .inline : .serialQueue
    let log = EventLog<String>()
    let next = EventLog<Registration>()
    future.onCancel(on: context) {
      log.add("cancelled: \(future.isCancelled), \(future.cancellationReason != nil)")
      future.cancel()
      future.complete()
      log.add("won: \(future.tryCancel() || future.tryComplete())")
      future.onCancel(on: context) { log.add("added") }
      future.onComplete(on: context) { log.add("wrong") }
      log.add("removed: \(next.events.allSatisfy { $0.unregisterAndWait() })")
      future.performAndWait { log.add("block: \(future.isCancelled)") }
      log.add("waited: \(future.wait())")
      future.cancel(after: .seconds(0))
      log.add("linked: \(Future(linkedTo: future).isCancelled), \(future.description.isEmpty)")
    }
    next.add(future.onCancel(on: context) { log.add("wrong") })
    future.onCancel(on: context) { log.add("behind") }
    future.cancel()
    #expect(await future.handlersFinished == .cancelled)
    let inside = ["removed: true", "block: true", "waited: cancelled", "linked: true, false"]
    let before = ["cancelled: true, true", "won: false"]
    // A late inline handler runs in place, one for the queue behind those which are there.
    #expect(log.events == before + (isInline ? ["added"] + inside + ["behind"] : inside + ["behind", "added"]))
    next.removeAll()
  }
}
