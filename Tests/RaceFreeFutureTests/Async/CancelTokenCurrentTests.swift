// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

/// The rows of the table in the guide Which thread runs my handler.
@Suite(.exitTests) struct CancelTokenCurrentTests {
  private let outer = Future(label: "outer")
  private let seen = EventLog<CancelToken>()

  /// Notes the current token.
  private var look: @Sendable () -> Void { { [seen] in seen.add(.current) } }

  private func seesOuter(_ count: Int = 1) -> Bool {
    seen.events == Array(repeating: outer.cancelToken, count: count)
  }

  private func seesNone(_ count: Int = 1) -> Bool { seen.events == Array(repeating: .never, count: count) }

  /// Runs synchronous code under the token of `outer`.
  private func inside<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await outer.run { try body() }
  }

  // MARK: That of the caller

  @Test func `the body of run: the token of that future`() async throws {
    try await inside(look)
    #expect(seesOuter())
  }

  @Test func `a closure that a call runs itself, before it returns: that of the caller`() async throws {
    try await inside { [look] in
      Future().performAndWait { look() }
      Future().unlessCancelledAndWait(look)
      Future().attach(look, stop: { _ in })
    }
    try await outer.run { [look] in
      try await withFuture { completer in
        look()
        completer.complete(with: ())
      }
    }
    #expect(seesOuter(4))
  }

  @Test func `the task of a value and of a scope: that of the code that starts it`() async throws {
    let scope = Scope()
    let (first, second) = try await inside { [look] in
      (ValueFuture.task { look() }, scope.addTask { look() })
    }
    _ = try await (first.value, second.value)
    #expect(seesOuter(2))
  }

  @Test func `a deinit: that of the code that releases the last reference`() async throws {
    let released = Variable<OnDeinit?>(OnDeinit(look))
    let (future, other) = (Future(), Future())
    future.onComplete(on: .inline) { [captured = OnDeinit(look)] in captured.touch() }
    other.onCancel(on: .inline) { [captured = OnDeinit(look)] in captured.touch() }
    try await inside {
      released.value = nil
      future.complete()
      other.complete()
    }
    #expect(seesOuter(3))
  }

  // MARK: None

  @Test(arguments: [false, true])
  func `a handler: none, wherever it runs`(isLate: Bool) async throws {
    let queue = DispatchQueue(label: "other")
    for outcome in [Future.Outcome.completed, .cancelled] {
      let future = Future()
      if isLate { future.resolve(outcome) }
      try await inside { [look] in
        for place in [HandlerPlace.inline, .serialQueue, queue.handlerPlace, .inline] {
          future.onComplete(on: place, look)
          future.onCancel(on: place, look)
          future.onCancel(on: place) { [look] (_: any Error) in look() }
          future.onCleanUp(on: place, look)
        }
        future.resolve(outcome)
      }
      _ = await future.handlersFinished
    }
    #expect(seesNone(4 * (2 + 3)))
  }

  @Test func `the only handler, which needs no node: none`() async throws {
    let future = Future()
    future.onCancel(on: .inline, look)
    try await inside { future.cancel() }
    #expect(seesNone())
  }

  @Test func `the closure that stops what was attached: none`() async throws {
    let future = Future()
    future.attach({}, stop: { [look] _ in look() })
    try await inside { future.cancel() }
    #expect(seesNone())
  }

  @Test func `a block for the turn of a future: none`() async throws {
    let future = Future()
    try await inside { [look] in
      future.perform { look() }
      future.unlessCancelled(look)
    }
    try await outer.run { [look] in await future.withTurn { look() } }
    #expect(seesNone(3))
  }

  @Test func `the closure of a stage: none, inline and on a queue`() async throws {
    let queue = DispatchQueue(label: "other")
    let number = ValueFuture<Int>()
    let failing = ValueFuture<Int>()
    let look = look
    let stages = try await inside {
      let stages = [
        number.map { value in
          look()
          return value
        },
        number.map(on: queue) { value in
          look()
          return value
        },
        number.flatMap { value in
          look()
          return .completed(with: value)
        },
        failing.recover { _ in
          look()
          return 1
        },
        failing.flatMapError { _ in
          look()
          return .completed(with: 1)
        },
      ]
      number.complete(with: 1)
      failing.complete(throwing: Reason("no"))
      return stages
    }
    for stage in stages { _ = try await stage.value }
    // Resolved already: it runs before `map` returns.
    try await inside { _ = number.map { _ in look() } }
    #expect(seesNone(6))
  }

  @Test func `background and lazy work: none, also if a wait starts it`() async throws {
    let look = look
    let (waited, awaited) = (ValueFuture.lazy { _ in look() }, ValueFuture.lazy { _ in look() })
    let background = try await inside { ValueFuture.background { _ in look() } }
    try await inside { try waited.wait() }
    try await outer.run { try await awaited.value }
    try await background.value
    #expect(seesNone(3))
  }

  @Test func `lazy work that is shared doesn't fail because the one who asked first has no time`() async throws {
    let shared = ValueFuture.lazy { _ in
      try CancelToken.current.checkCancellation()
      return 7
    }
    let first = try await inside { [outer] in
      outer.cancel(throwing: Reason("no time"))
      return try shared.wait()
    }
    #expect(first == 7)
    #expect(try await shared.value == 7)
  }

  @Test func `the task of a clean-up: none, though its own future, or another one, was cancelled in a run`()
    async throws
  {
    let connection = Scope(label: "connection")
    connection.onCancelTask { [look] _ in look() }
    // What it runs under the current token isn't stopped by that of the code that cancelled.
    connection.onCancelTask { [look] _ in try? await CancelToken.current.run { look() } }
    try? await outer.run { [outer] in
      outer.cancel()
      connection.cancel()
    }
    await connection.drain()
    let own = Future()
    own.onCancelTask { [look] _ in look() }
    try? await own.run { own.cancel() }
    await own.drain()
    #expect(seesNone(3))
  }

  @Test func `a value that nobody received: none`() async throws {
    let look = look
    try await inside { ValueFuture<Int>(onUndelivered: { _ in look() }).complete(with: 1) }
    #expect(seesNone())
  }

  @Test func `the observer: none`() async {
    await #expect(processExitsWith: .success) {
      let seen = EventLog<CancelToken>()
      let outer = Future()
      Future.observer = { _ in seen.add(.current) }
      try await outer.run { Future().complete() }
      Future.observer = nil
      #expect(!seen.events.isEmpty && seen.events.allSatisfy { $0 == .never })
    }
  }

  @Test func `with an observer, the only handler: none`() async {
    await #expect(processExitsWith: .success) {
      let seen = EventLog<CancelToken>()
      let outer = Future()
      Future.observer = { _ in }
      let future = Future()
      future.onCancel(on: .inline) { seen.add(.current) }
      try await outer.run { future.cancel() }
      #expect(seen.events == [.never])
    }
  }
}
