// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

@Suite struct WithFutureTests {
  @Test func `a callback that comes at once, later, or several times brings its value once`() async throws {
    #expect(try await withFuture { $0.complete(with: 1) } == 1)
    let later = try await withFuture(of: Int.self, label: "later") { completer in
      DispatchQueue.global().async { completer.complete(with: 2) }
    }
    #expect(later == 2)
    let doubled = try await withFuture { completer in
      for value in 3...5 { completer.complete(with: value) }
    }
    #expect(doubled == 3)
  }

  @Test func `values may be Void, nil and results`() async throws {
    try await withFuture { $0.complete() }
    let none: Int? = try await withFuture { $0.complete(with: nil) }
    #expect(none == nil)
    let result = try await withFuture(of: Int.self) { $0.complete(with: Result<Int, Reason>.success(1)) }
    #expect(result == 1)
    await #expect(throws: Reason("broken")) {
      try await withFuture(of: Int.self) { $0.complete(with: Result<Int, Reason>.failure(Reason("broken"))) }
    }
  }

  @Test func `an error, a cancellation and their reasons are thrown`() async {
    await #expect(throws: Reason("error")) {
      try await withFuture(of: Int.self) { $0.complete(throwing: Reason("error")) }
    }
    await #expect(throws: Reason("stopped")) {
      try await withFuture(of: Int.self) { $0.cancel(throwing: Reason("stopped")) }
    }
  }

  @Test func `what body throws is thrown and fails the future, and CancellationError cancels it`() async {
    let log = EventLog<String>()
    let thrown: [any Error] = [Reason("half-way"), CancellationError()]
    for error in thrown {
      do {
        _ = try await withFuture(of: Int.self) { completer in
          completer.onCancel(on: .inline) { log.add("request stopped") }
          completer.future.onFailure(on: .inline) { log.add("failed with \(type(of: $0))") }
          completer.onCleanUp(on: .inline) { log.add("\($0)") }
          throw error
        }
      } catch {
        log.add("\(type(of: error)) thrown")
      }
    }
    #expect(
      log.events == [
        "failed with Reason", "completed", "Reason thrown", "request stopped", "cancelled", "CancellationError thrown",
      ]
    )
  }

  @Test func `what body throws is thrown also if there is a value, which is given back`() async {
    let undelivered = EventLog<Int>()
    await #expect(throws: Reason("after all")) {
      try await withFuture(of: Int.self, onUndelivered: { undelivered.add($0) }) { completer in
        completer.complete(with: 1)
        throw Reason("after all")
      }
    }
    #expect(undelivered.events == [1])
  }

  @Test func `a callback that is dropped without being called throws AbandonedError with the place`() async {
    let line: UInt = #line + 2
    let error = await #expect(throws: AbandonedError.self) {
      try await withFuture(of: Int.self, label: "forgotten", fileID: #fileID, line: line) { completer in
        let callback: @Sendable (Int) -> Void = { completer.complete(with: $0) }
        _ = callback
      }
    }
    #expect(error?.origin.label == "forgotten")
    #expect(error?.origin.place == "\(#fileID):\(line)")
  }

  @Test(.explored) func `in a task that is cancelled already body never runs`() async {
    let go = Gate("task is cancelled")
    let task = Task {
      await go.passed()
      return try await withFuture(of: Int.self) { completer in
        Issue.record("it ran")
        completer.complete(with: 1)
      }
    }
    task.cancel()
    go.open()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test(.explored)
  func `cancelling the task stops the work and throws at once, though the callback never comes`() async {
    let (started, stopped, kept) = (Gate("started"), EventLog<Int>(), EventLog<Completer<ValueFuture<Int>>>())
    let task = Task {
      try await withFuture(of: Int.self) { completer in
        completer.attach {
          kept.add(completer)
          return 7
        } stop: { handle in
          stopped.add(handle)
        }
        started.open()
      }
    }
    await started.passed()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(stopped.events == [7])
    kept.removeAll()
  }

  @Test(.explored) func `a value that comes after the cancellation goes back to its sender`() async throws {
    let (started, undelivered) = (Gate("started"), EventLog<String>())
    let kept = EventLog<Completer<ValueFuture<String>>>()
    let task = Task {
      try await withFuture(label: "lease", onUndelivered: { undelivered.add($0) }) { completer in
        kept.add(completer)
        started.open()
      }
    }
    await started.passed()
    task.cancel()
    _ = try? await task.value
    let completer = try #require(kept.events.first)
    #expect(!completer.tryComplete(with: "still mine"))
    completer.complete(with: "handed over")
    #expect(undelivered.events == ["handed over"])
    kept.removeAll()
  }

  @Test func `body runs on the actor of its caller and may use what isn't Sendable`() async throws {
    @MainActor final class Counter {
      var count = 0
      func next() async throws -> Int {
        try await withFuture { completer in
          count += 1
          completer.complete(with: count)
        }
      }
    }
    let counter = await MainActor.run { Counter() }
    #expect(try await counter.next() == 1)
    #expect(try await counter.next() == 2)
  }

  @Test func `nothing is left when it has returned`() async throws {
    let live = LiveCount()
    let refs = EventLog<WeakWork>()
    _ = try await withFuture(of: Int.self) { [kept = live.make()] completer in
      refs.add(WeakWork(completer))
      completer.onCancel { kept.touch() }
      completer.complete(with: 1)
    }
    #expect(live.value == 0)
    #expect(refs.events.first?.isGone == true)
  }

  @Test func `without a result the callback may be a statement`() async throws {
    let save: @Sendable (Bool, @escaping @Sendable ((any Error)?) -> Void) -> Void = { isBroken, whenDone in
      DispatchQueue.global().async { whenDone(isBroken ? Reason("broken") : nil) }
    }
    let run: @Sendable (Bool) async throws -> Void = { isBroken in
      try await withFuture(label: "save") { completer in
        save(isBroken) { error in
          if let error { completer.complete(throwing: error) } else { completer.complete() }
        }
      }
    }
    try await run(false)
    await #expect(throws: Reason("broken")) { try await run(true) }
  }
}
