// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

/// Bugs that were published again and again, and that cost a resource: a wait, a descriptor, a permit, memory.
@Suite struct PublishedResourceRacesTests {
  // MARK: Time-outs

  @Test func `a reply and a timeout at the same moment leave a group once`() async {
    let queue = DispatchQueue(label: "network")
    for round in 0..<iterations(200) {
      let group = DispatchGroup()
      let future = Future(label: "request")
      let finished = EventLog<Future.Outcome>()
      group.enter(until: future)
      group.enter()
      future.onCleanUp {
        finished.add($0)
        group.leave()
      }
      future.cancel(after: .microseconds(100))
      queue.asyncAfter(deadline: .now() + .microseconds(60 + round)) { future.complete() }
      let left = await onThread { group.wait(timeout: .muchLater) }
      #expect(left == .success)
      #expect(finished.events == [future.isCompleted ? .completed : .cancelled])
    }
  }

  @Test func `a timeout doesn't wait for work that can't be stopped`() async {
    let (reply, refused) = (Gate("reply"), Gate("reply was refused"))
    let future = Future(label: "slow reply")
    startThread {
      reply.wait()
      if !future.tryComplete() { refused.open() }
    }
    future.cancel(after: .milliseconds(5))
    // Had the wait to last as long as the work, this would never end: the work goes on only afterwards.
    await #expect(throws: TimeoutError(interval: .milliseconds(5), label: "slow reply")) { try await future.value }
    reply.open()
    await refused.passed()
    #expect(future.isCancelled)
  }

  // MARK: Search as you type

  @Test func `an older answer never replaces a newer one, in whichever order they come`() async {
    var generator = SeededGenerator(seed: testSeed)
    let screen = MarkedQueue("screen")
    for _ in 0..<iterations(200) {
      let latest = LatestFuture()
      let shown = EventLog<Int>()
      let queries = (0..<4).map { _ in Future() }
      var answers = Array(0..<4)
      answers.shuffle(using: &generator)
      for (index, query) in queries.enumerated() {
        query.onComplete(on: screen.queue) { shown.add(index) }
        latest.replace(with: query)
      }
      await onThreads(answers.map { index in { queries[index].complete() } })
      await screen.drained()
      #expect(shown.events == [3], "seed \(testSeed)")
      #expect(queries.map(\.isCancelled) == [true, true, true, false])
    }
  }

  @Test func `an answer that comes while the next letter is typed is shown before the newer one or not at all`() async {
    struct Search: Sendable {
      let latest = LatestFuture()
      let old = ValueFuture<Void>()
      let new = ValueFuture<Void>()
      let shown = EventLog<String>()
      init(_ screen: MarkedQueue) { show("zo", from: old, on: screen) }
      func show(_ answer: String, from work: ValueFuture<Void>, on screen: MarkedQueue) {
        latest.replace(with: work, on: screen.queue) { [shown] _ in shown.add(answer) }
      }
    }
    let screen = MarkedQueue("screen")
    let oldFirst = EventLog<Bool>()
    await stress(
      rounds: iterations(2_000),
      make: { Search(screen) },
      actors: [
        { $0.old.complete() },
        { search in
          search.show("zombie", from: search.new, on: screen)
          search.new.complete()
        },
      ],
      verify: { search in
        screen.queue.sync {}
        #expect(search.shown.events == ["zombie"] || search.shown.events == ["zo", "zombie"])
        if search.old.isCancelled { #expect(search.shown.events == ["zombie"]) }
        oldFirst.add(search.old.isCompleted)
      }
    )
    // A short run under a sanitizer may well be one-sided.
    if iterations(2_000) >= 2_000 { #expect(Set(oldFirst.events) == [true, false], "the two never met") }
  }

  @Test func `the handler of an answer that has been sent to the screen can still be unregistered there`() async {
    let screen = MarkedQueue("screen")
    let (busy, gate) = (Gate("screen is busy"), Gate("screen"))
    let answer = Future()
    let registration = answer.onComplete(on: screen.queue) { Issue.record("an outdated answer was shown") }
    screen.queue.async {
      busy.open()
      gate.wait()
      // The user presses Cancel: too late for the answer, but not for what it does here.
      answer.cancel()
      #expect(registration.unregister())
    }
    await busy.passed()
    answer.complete()
    gate.open()
    await screen.drained()
    #expect(await answer.handlersFinished == .completed)
  }

  // MARK: Descriptors

  /// Something that is torn down explicitly and again when it goes.
  private final class Relay: Sendable {
    private let life = Future(label: "relay")

    init(_ descriptor: Int32, on queue: DispatchQueue, closed: @escaping @Sendable () -> Void) {
      let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
      source.setEventHandler {}
      source.setCancelHandler {
        close(descriptor)
        closed()
      }
      life.attach(source)
    }

    func cancel() { life.cancel() }

    deinit { cancel() }
  }

  @Test func `torn down twice, a relay doesn't close the descriptor of a stranger`() async throws {
    let queue = DispatchQueue(label: "relay")
    for _ in 0..<iterations(200) {
      var ends: [Int32] = [0, 0]
      try #require(unsafe pipe(&ends) == 0)
      let log = EventLog<Bool>()
      let closed = Gate("closed")
      do {
        let relay = Relay(ends[0], on: queue) {
          log.add(true)
          closed.open()
        }
        await onThreads([{ relay.cancel() }, { relay.cancel() }])
        await closed.passed()
        // Somebody else gets the number while the relay is still there.
        let stranger = dup(ends[1])
        relay.cancel()
        try #require(fcntl(stranger, F_GETFD) != -1)
        close(stranger)
      }
      await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
      #expect(log.events == [true])
      close(ends[1])
    }
  }

  // MARK: Permits

  /// A counting semaphore for tasks, of the length at which it usually is written; `lock` guards `permits` and
  /// `waiters`.
  private final class Permits: @unchecked Sendable {
    private let lock = NSLock()
    private var permits: Int
    private var waiters: [Future] = []

    init(_ count: Int) { permits = count }

    var free: Int { lock.withLock { permits } }

    func acquire() async throws {
      let waiter = lock.withLock { () -> Future? in
        guard permits == 0 else {
          permits -= 1
          return nil
        }
        let waiter = Future(label: "waiter")
        waiters.append(waiter)
        return waiter
      }
      guard let waiter else { return }
      // A waiter that was granted its permit has it, whether its task was cancelled meanwhile or not.
      let outcome = await withTaskCancellationHandler {
        await waiter.outcome
      } onCancel: {
        waiter.cancel()
      }
      if outcome == .cancelled { throw CancellationError() }
    }

    func release() {
      while true {
        let next = lock.withLock { () -> Future? in
          guard waiters.isEmpty else { return waiters.removeFirst() }
          permits += 1
          return nil
        }
        // Refused: it was cancelled; offer the permit to the next.
        guard let next, !next.tryComplete() else { return }
      }
    }
  }

  @Test func `a permit that is granted to a cancelled waiter is offered to the next one`() async {
    let permits = Permits(4)
    let worked = EventLog<Int>()
    let tasks = (0..<iterations(2_000)).map { index in
      Task {
        try await permits.acquire()
        worked.add(index)
        await Task.yield()
        permits.release()
      }
    }
    for (index, task) in tasks.enumerated() where index.isMultiple(of: 3) { task.cancel() }
    var finished = 0
    for task in tasks where (try? await task.value) != nil { finished += 1 }
    #expect(permits.free == 4)
    #expect(worked.events.count == finished)
    #expect(finished >= tasks.count - (tasks.count + 2) / 3)
  }

  @Test func `a permit that is released while its waiter is cancelled is never lost`() async {
    struct Contest: Sendable {
      let permits = Permits(1)
      let done = DispatchSemaphore(value: 0)
      let waiter: Task<Void, Never>
      init() {
        let taken = DispatchSemaphore(value: 0)
        waiter = Task { [permits, done] in
          // Takes the only permit and waits for it to come back.
          try? await permits.acquire()
          taken.signal()
          if (try? await permits.acquire()) != nil { permits.release() }
          done.signal()
        }
        taken.wait()
      }
    }
    await stress(
      rounds: iterations(500),
      make: { Contest() },
      actors: [{ $0.permits.release() }, { $0.waiter.cancel() }],
      verify: { contest in
        guard contest.done.wait(timeout: .muchLater) == .success else { fatalError("the waiter was forgotten") }
        #expect(contest.permits.free == 1)
      }
    )
  }

  // MARK: Memory

  @Test func `a token that lives long keeps nothing of the work that ended`() async {
    let shutdown = Future(label: "shutdown")
    let live = LiveCount()
    for index in 0..<iterations(5_000) {
      let request = Future(linkedTo: shutdown)
      request.onCancel { [body = live.make()] in body.touch() }
      let direct = shutdown.onCancel { [body = live.make()] in body.touch() }
      request.resolve(index.isMultiple(of: 2) ? .completed : .cancelled)
      _ = await request.handlersFinished
      #expect(direct.unregister())
    }
    #expect(live.value == 0)
    #expect(shutdown.description == "Future(\"shutdown\", pending)")
    let last = Future(linkedTo: shutdown)
    shutdown.cancel()
    #expect(last.isCancelled)
  }
}
