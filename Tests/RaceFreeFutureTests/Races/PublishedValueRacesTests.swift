// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import RaceFreeFuture
import RaceFreeFutureTesting
import Synchronization
import TestSupport
import Testing

/// Published bugs of wrapped callback APIs, each rebuilt with values, and run for as long as the original needed to
/// fail.
@Suite struct PublishedValueRacesTests {
  /// A callback API as they are: answers on a queue of its own, later; its requests can be stopped.
  private final class API: Sendable {
    let queue = DispatchQueue(label: "api")
    let mutations = EventLog<Int>()

    func post(_ id: Int, _ callback: @escaping @Sendable (String) -> Void) -> Request {
      let request = Request()
      queue.async { [self] in
        guard request.begin() else { return }
        mutations.add(id)
        callback("success")
      }
      return request
    }

    /// Suspends until everything that was posted has been answered.
    func drained() async { await withCheckedContinuation { continuation in queue.async { continuation.resume() } } }
  }

  private final class Request: Sendable {
    private let state = Atomic(0)
    func begin() -> Bool { state.compareExchange(expected: 0, desired: 1, ordering: .relaxed).exchanged }
    func cancel() { _ = state.compareExchange(expected: 0, desired: 2, ordering: .relaxed) }
  }

  private func post(_ id: Int, to api: API) async throws -> String {
    try await withFuture(label: "post") { completer in
      completer.attach {
        api.post(id) { completer.complete(with: $0) }
      } stop: { request in
        request.cancel()
      }
    }
  }

  // MARK: Lost cancellation

  @Test func `a task that is cancelled before it posts sends nothing`() async {
    let api = API()
    for id in 0..<iterations(200) {
      let go = Gate("task is cancelled")
      let task = Task {
        await go.passed()
        return try await post(id, to: api)
      }
      task.cancel()
      go.open()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    await api.drained()
    #expect(api.mutations.events.isEmpty)
  }

  @Test func `whenever the cancellation comes, what is sent and what the caller is told are possible together`() async {
    let api = API()
    var succeeded: [Int] = []
    for id in 0..<iterations(2_000) {
      let task = Task { try await post(id, to: api) }
      for _ in 0..<(id % 7) { await Task.yield() }
      task.cancel()
      if (try? await task.value) != nil { succeeded.append(id) }
    }
    await api.drained()
    let sent = api.mutations.events
    #expect(Set(sent).count == sent.count)
    #expect(Set(succeeded).isSubset(of: sent))
  }

  // MARK: Resumed twice, or never

  @Test func `reply, second reply, close and cancellation at the same time resume the caller once`() async {
    final class Call: Sendable {
      let completer: Completer<ValueFuture<Int>>
      let task: Task<Void, Never>
      let answers = EventLog<Int?>()
      private let done = DispatchSemaphore(value: 0)

      init() {
        let (parked, handed) = (DispatchSemaphore(value: 0), EventLog<Completer<ValueFuture<Int>>>())
        task = Task { [answers, done] in
          let value = try? await withFuture(of: Int.self) { completer in
            handed.add(completer)
            parked.signal()
          }
          answers.add(value)
          done.signal()
        }
        parked.wait()
        completer = handed.events[0]
        handed.removeAll()
      }

      func waitForEnd() {
        guard done.wait(timeout: .muchLater) == .success else { fatalError("the caller was never resumed") }
      }
    }
    let values = EventLog<Int?>()
    await stress(
      rounds: iterations(5_000),
      make: { Call() },
      actors: [
        {
          $0.completer.complete(with: 1)
          $0.completer.complete(with: 2)
        },
        { $0.task.cancel() },
        { $0.completer.cancel() },
      ],
      verify: { call in
        call.waitForEnd()
        #expect(call.answers.events.count == 1)
        values.add(call.answers.events[0])
      }
    )
    #expect(Set(values.events).isSubset(of: [1, nil]))
  }

  @Test func `no waiter is left behind when it is cancelled in the moment in which it begins to wait`() async {
    let gate = ValueFuture<Int>(label: "gate")
    for _ in 0..<iterations(50) {
      let tasks = (0..<200).map { _ in Task { try await gate.value } }
      for task in tasks { task.cancel() }
      for task in tasks {
        await #expect(throws: CancellationError.self) { try await task.value }
      }
    }
    #expect(gate.description == "ValueFuture<Int>(\"gate\", pending)")
    #expect(gate.tryComplete(with: 1))
  }

  @Test func `a callback that is dropped unanswered ends the wait`() async {
    for _ in 0..<iterations(200) {
      await #expect(throws: AbandonedError.self) {
        try await withFuture(of: Int.self) { completer in
          DispatchQueue.global().async { _ = completer }
        }
      }
    }
  }

  // MARK: Locked up with the runtime

  @Test func `a value that arrives while its task is cancelled never locks up with the runtime`() async {
    final class Cell: Sendable {
      let future = ValueFuture<Int>()
      let task: Task<Void, Never>
      let done = DispatchSemaphore(value: 0)
      init() {
        task = Task { [future, done] in
          _ = await withTaskCancellationHandler {
            try? await future.value
          } onCancel: {
            future.cancel()
          }
          done.signal()
        }
      }
    }
    await stress(
      rounds: iterations(5_000),
      make: { Cell() },
      actors: [{ $0.future.complete(with: 1) }, { $0.task.cancel() }],
      verify: { cell in
        guard cell.done.wait(timeout: .muchLater) == .success else { fatalError("locked up: \(cell.future)") }
        #expect(!cell.future.isPending)
      }
    )
  }

  // MARK: The timeout that can't

  @Test func `a timeout returns though the work never answers`() async {
    let (silent, kept) = (ValueFuture<Int>(label: "silent"), EventLog<Completer<ValueFuture<Int>>>())
    await #expect(throws: TimeoutError(interval: .milliseconds(1), label: "silent")) {
      try await silent.value(within: .milliseconds(1))
    }
    #expect(silent.isPending)
    await #expect(throws: TimeoutError.self) { try await silent.timeout(after: .milliseconds(1)).value }
    // The cancellation may still be on its way to it.
    #expect(await silent.outcome == .cancelled)
    await #expect(throws: TimeoutError.self) {
      try await withFuture(of: Int.self) { completer in
        completer.cancel(after: .milliseconds(1))
        kept.add(completer)
      }
    }
    kept.removeAll()
  }

  // MARK: Permits

  /// A counting semaphore for tasks; `lock` guards `permits` and `waiters`.
  private final class Permits: @unchecked Sendable {
    private let lock = NSLock()
    private var permits: Int
    private var waiters: [Completer<ValueFuture<Void>>] = []

    init(_ count: Int) { permits = count }

    var free: Int { lock.withLock { permits } }

    func acquire() async throws {
      try await withFuture(label: "permit") { completer in
        let isFree = lock.withLock {
          if permits == 0 {
            waiters.append(completer)
            return false
          }
          permits -= 1
          return true
        }
        // Refused: the task was cancelled meanwhile.
        if isFree, !completer.tryComplete(with: ()) { release() }
      }
    }

    func release() {
      while true {
        let next = lock.withLock { () -> Completer<ValueFuture<Void>>? in
          if waiters.isEmpty {
            permits += 1
            return nil
          }
          return waiters.removeFirst()
        }
        // Refused: it was cancelled; offer the permit to the next.
        guard let next, !next.tryComplete(with: ()) else { return }
      }
    }
  }

  @Test func `permits that are granted to waiters which are cancelled are never lost`() async {
    let permits = Permits(4)
    let tasks = (0..<iterations(2_000)).map { _ in
      Task {
        try await permits.acquire()
        await Task.yield()
        permits.release()
      }
    }
    for (index, task) in tasks.enumerated() where index.isMultiple(of: 3) { task.cancel() }
    for task in tasks { _ = try? await task.value }
    #expect(permits.free == 4)
  }

  @Test func `a connection that was leased while its client was cancelled goes back to the pool`() async {
    let (leased, returned, used) = (EventLog<Int>(), EventLog<Int>(), EventLog<Int>())
    let (queue, rounds) = (DispatchQueue(label: "pool"), iterations(2_000))
    for round in 0..<rounds {
      let task = Task {
        let connection = try await withFuture(onUndelivered: { returned.add($0) }) { completer in
          queue.async {
            leased.add(round)
            completer.complete(with: round)
          }
        }
        used.add(connection)
      }
      for _ in 0..<(round % 5) { await Task.yield() }
      task.cancel()
      _ = try? await task.value
    }
    // Behind the last lease. A task that was cancelled before it began has asked for none.
    await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    #expect((returned.events + used.events).sorted() == leased.events)
  }
}
