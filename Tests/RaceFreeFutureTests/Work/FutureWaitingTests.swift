// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

@Suite struct FutureWaitingTests {
  private static let outcomes = [Future.Outcome.completed, .cancelled]

  @Test(arguments: outcomes)
  func `waiting for a resolved future returns its outcome at once`(_ outcome: Future.Outcome) {
    let future = Future()
    future.resolve(outcome)
    #expect(future.wait() == outcome)
    #expect(future.wait(timeout: .seconds(0)) == outcome)
    #expect(future.wait(timeout: .seconds(-1)) == outcome)
    #expect(future.wait(timeout: .seconds(Int64.max)) == outcome)
  }

  @Test(arguments: outcomes)
  func `waiting ends when another thread resolves the future`(_ outcome: Future.Outcome) async {
    let future = Future()
    startThread { future.resolve(outcome) }
    #expect(await onThread { future.wait() } == outcome)
    let second = Future()
    startThread { second.resolve(outcome) }
    #expect(await onThread { second.wait(timeout: .seconds(3_600)) } == outcome)
    let third = Future()
    startThread { third.resolve(outcome) }
    #expect(await onThread { third.wait(timeout: .seconds(Int64.max)) } == outcome)
  }

  @Test func `all who wait are woken`() async {
    let future = Future()
    let log = EventLog<Future.Outcome>()
    let waiters = (0..<20).map { index -> @Sendable () -> Void in
      { log.add(index.isMultiple(of: 2) ? future.wait() : future.wait(timeout: .seconds(3_600)) ?? .cancelled) }
    }
    await onThreads(waiters + [{ future.complete() }])
    #expect(log.events == Array(repeating: .completed, count: 20))
  }

  @Test(arguments: [Duration.seconds(0), .milliseconds(-5), .seconds(Int64.min), .milliseconds(1)])
  func `a wait that times out returns nil and leaves the future pending`(_ timeout: Duration) async {
    let future = Future(label: "slow")
    #expect(await onThread { future.wait(timeout: timeout) } == nil)
    #expect(future.isPending)
    #expect(future.description == "Future(\"slow\", pending)")
    #expect(future.tryComplete())
  }

  @Test func `a wait that times out is not shorter than asked`() async {
    let future = Future()
    let start = DispatchTime.now()
    #expect(await onThread { future.wait(timeout: .milliseconds(20)) } == nil)
    #expect(DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds >= 20_000_000)
  }

  #if os(Linux)
    @Test func `in every order, where time is virtual, a wait ends, and not before its timeout`() async {
      // Made outside: a thread of an order may block for it.
      let future = Future()
      let report = await explore("a wait with a timeout") { scenario in
        for name in ["a", "b"] {
          scenario.thread(name) {
            let start = DispatchTime.now()
            #expect(future.wait(timeout: .seconds(3_600)) == nil)
            #expect(DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds >= 3_600_000_000_000)
          }
        }
      }
      #expect(report.passed && report.isComplete && report.orders > 1, "\(report)")
    }
  #endif

  @Test func `a very long wait ends with the outcome`() async {
    for timeout in [Duration.seconds(Int64.max), .milliseconds(Int64.max), .nanoseconds(Int64.max)] {
      let future = Future()
      startThread { future.complete() }
      #expect(await onThread { future.wait(timeout: timeout) } == .completed)
    }
  }

  @Test func `a wait that ends at its timeout tells the truth`() async {
    struct Contest: Sendable {
      let future = Future()
      let wrong = EventLog<Bool>()
    }
    await stress(
      rounds: iterations(500),
      make: { Contest() },
      actors: [
        { contest in
          let outcome = contest.future.wait(timeout: .microseconds(1))
          if outcome == .cancelled { contest.wrong.add(true) }
          if outcome == nil, contest.future.wait() != .completed { contest.wrong.add(true) }
        },
        { $0.future.complete() },
      ],
      verify: { #expect($0.wrong.events == []) }
    )
  }

  @Test func `what was done before the outcome is seen after the wait`() async {
    final class Box: @unchecked Sendable { var value = 0 }
    for _ in 0..<20 {
      let future = Future()
      let box = Box()
      startThread {
        box.value = 7
        future.complete()
      }
      #expect(
        await onThread {
          _ = future.wait()
          return box.value
        } == 7
      )
    }
  }

  // MARK: On a queue

  @Test func `waiting inside a handler of the same future returns its outcome`() async {
    let future = Future()
    let log = EventLog<Future.Outcome?>()
    future.onComplete {
      log.add(future.wait())
      log.add(future.wait(timeout: .seconds(3_600)))
    }
    future.complete()
    _ = await future.handlersFinished
    #expect(log.events == [.completed, .completed])
  }

  @Test func `waiting in a block of another future is allowed`() async {
    let (first, second) = (Future(), Future())
    let log = EventLog<Future.Outcome>()
    first.perform { log.add(second.wait()) }
    second.cancel()
    await first.withTurn {}
    #expect(log.events == [.cancelled])
  }

  @Test func `a wait on the own private queue with a timeout ends at the timeout`() async {
    let future = Future()
    let isNil = await onThread {
      future.performAndWait { future.wait(timeout: .milliseconds(1)) == nil }
    }
    #expect(isNil)
  }

  // MARK: Waits that could never end

  @Test(.exitTests) func `waiting on the own private queue stops the program and names the future`() async throws {
    let result = try await #require(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      let future = Future(label: "the download")
      let waitInside: @Sendable () -> Void = { _ = future.wait() }
      await future.withTurn { waitInside() }
    }
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(text.contains("would never end"))
    #expect(text.contains("the download"))
  }

  @Test(.exitTests) func `waiting for what can't be resolved stops the program`() async throws {
    let result = try await #require(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      await onThread { _ = CancelToken.never.wait() }
    }
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(text.contains("would never end"))
    #expect(text.contains("never"))
  }
}
