// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

@Suite struct ValueFutureWaitingTests {
  /// Waits in each way that doesn't give up early.
  private func waitInEveryWay(_ future: ValueFuture<Int>) -> [Result<Int, any Error>] {
    [
      Result { try future.wait() },
      Result { try future.wait(timeout: .seconds(3_600)) },
      Result { try future.wait(timeout: .seconds(Int64.max)) },
    ]
  }

  // MARK: Outcomes

  @Test func `waiting for a resolved one returns at once`() {
    let completed = ValueFuture<Int>.completed(with: 7)
    #expect(waitInEveryWay(completed).map(\.value) == [7, 7, 7])
    #expect((try? completed.wait(timeout: .seconds(0))) == 7)
    #expect((try? completed.wait(timeout: .seconds(-1))) == 7)
    let failed = ValueFuture<Int>.completed(throwing: Reason("broken"))
    #expect(waitInEveryWay(failed).map { reason($0.error) } == Array(repeating: Reason("broken"), count: 3))
    #expect(throws: Reason("broken")) { try failed.wait(timeout: .seconds(0)) }
    let cancelled = ValueFuture<Int>()
    cancelled.cancel(throwing: Reason("why"))
    #expect(waitInEveryWay(cancelled).map { reason($0.error) } == Array(repeating: Reason("why"), count: 3))
    #expect(throws: Reason("why")) { try cancelled.wait(timeout: .seconds(0)) }
  }

  /// Lets a thread wait, ends the future when that is about to, and returns what it got.
  private func got(
    _ end: @escaping @Sendable (ValueFuture<Int>) -> Void,
    _ wait: @escaping @Sendable (ValueFuture<Int>) throws -> Int
  ) async -> Result<Int, any Error> {
    let future = ValueFuture<Int>()
    let ready = Gate("about to wait")
    startThread {
      ready.wait()
      end(future)
    }
    return await onThread {
      ready.open()
      return Result { try wait(future) }
    }
  }

  private static let waits: [@Sendable (ValueFuture<Int>) throws -> Int] = [
    { try $0.wait() }, { try $0.wait(timeout: .seconds(3_600)) }, { try $0.wait(timeout: .seconds(Int64.max)) },
    { try $0.wait(timeout: .seconds(Int64.max)) },
  ]

  @Test(arguments: waits.indices)
  func `a thread that waits gets the value, the error or the reason`(_ index: Int) async {
    let wait = Self.waits[index]
    let value = await got({ $0.complete(with: 7) }, wait)
    #expect(value.value == 7)
    let error = await got({ $0.complete(throwing: Reason("broken")) }, wait)
    #expect(reason(error.error) == Reason("broken"))
    let cancellation = await got({ $0.cancel(throwing: Reason("why")) }, wait)
    #expect(reason(cancellation.error) == Reason("why"))
  }

  @Test func `all who wait get it`() async {
    let future = ValueFuture<Int>()
    let log = EventLog<Int>()
    let waiters = (0..<10).map { index -> @Sendable () -> Void in
      { log.add((try? index.isMultiple(of: 2) ? future.wait() : future.wait(timeout: .seconds(3_600))) ?? 0) }
    }
    await onThreads(waiters + [{ future.complete(with: 7) }])
    #expect(log.events == Array(repeating: 7, count: 10))
  }

  @Test func `nil is a value to wait for`() async {
    let future = ValueFuture<Int?>()
    startThread { future.complete(with: nil) }
    let result = await onThread { Result { try future.wait() } }
    #expect(result.value == .some(nil))
  }

  // MARK: Waking

  @Test func `a waiter continues when it is cancelled, although the work goes on`() async throws {
    let (working, go) = (Gate("working"), Gate("the work may end"))
    let late = EventLog<Int>()
    let future = ValueFuture<Int>.background(onUndelivered: { late.add($0) }) { _ in
      working.open()
      go.wait()
      return 7
    }
    let waiter = Task { await onThread { Result { try future.wait() } } }
    await working.passed()
    future.cancel(throwing: Reason("enough"))
    #expect(reason(await waiter.value.error) == Reason("enough"))
    // The work is still there, and its value is too late.
    #expect(late.events == [])
    go.open()
    try await eventually("the late value is handed over") { late.events == [7] }
  }

  // MARK: Lazy

  @Test func `lazy work is done on the thread that waits`() async {
    let isSame = await onThread {
      let log = EventLog<Bool>()
      let waiter = ObjectIdentifier(Thread.current)
      let future = ValueFuture<Int>.lazy { _ in
        log.add(ObjectIdentifier(Thread.current) == waiter)
        return 7
      }
      return (try? future.wait()) == 7 && log.events == [true]
    }
    #expect(isSame)
  }

  @Test func `with a time limit lazy work is done elsewhere, and goes on when the limit is over`() async throws {
    let go = Gate("the work may end")
    let isElsewhere = EventLog<Bool>()
    let future = await onThread {
      let waiter = ObjectIdentifier(Thread.current)
      let future = ValueFuture<Int>.lazy(label: "slow") { _ in
        isElsewhere.add(ObjectIdentifier(Thread.current) != waiter)
        go.wait()
        return 7
      }
      #expect(throws: TimeoutError(interval: .milliseconds(1), label: "slow")) {
        try future.wait(timeout: .milliseconds(1))
      }
      return future
    }
    #expect(future.isPending)
    go.open()
    #expect(try await future.value == 7)
    #expect(isElsewhere.events == [true])
  }

  @Test func `no time at all starts lazy work as well`() async throws {
    let ran = Gate("the work runs")
    let future = ValueFuture<Int>.lazy { _ in
      ran.open()
      return 7
    }
    await onThread { _ = try? future.wait(timeout: .seconds(0)) }
    await ran.passed()
    #expect(try await future.value == 7)
  }

  // MARK: Giving up

  @Test(arguments: [Duration.seconds(0), .milliseconds(-5), .seconds(Int64.min), .milliseconds(1)])
  func `a wait that gives up throws TimeoutError and leaves the future pending`(
    _ timeout: Duration
  ) async {
    let future = ValueFuture<Int>(label: "slow")
    let result = await onThread { Result { try future.wait(timeout: timeout) } }
    #expect(result.error as? TimeoutError == TimeoutError(interval: timeout, label: "slow"))
    #expect(future.isPending)
    #expect(future.description == "ValueFuture<Int>(\"slow\", pending)")
    #expect(future.tryComplete(with: 7))
    #expect(future.result?.value == 7)
  }

  @Test func `without a label the error tells the place`() async {
    let line: UInt = #line + 1
    let future = ValueFuture<Int>()
    let result = await onThread { Result { try future.wait(timeout: .seconds(0)) } }
    #expect((result.error as? TimeoutError)?.label == "made at \(#fileID):\(line)")
  }

  @Test func `it isn't shorter than asked`() async {
    let future = ValueFuture<Int>()
    let start = DispatchTime.now()
    await onThread { _ = try? future.wait(timeout: .milliseconds(20)) }
    #expect(DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds >= 20_000_000)
  }

  @Test func `a wait that ends at its limit tells the truth`() async {
    struct Contest: Sendable {
      let future = ValueFuture<Int>()
      let wrong = EventLog<Bool>()
    }
    await stress(
      rounds: iterations(500),
      make: { Contest() },
      actors: [
        { contest in
          let result = Result { try contest.future.wait(timeout: .microseconds(1)) }
          if result.value != 7, !(result.error is TimeoutError) { contest.wrong.add(true) }
        },
        { $0.future.complete(with: 7) },
      ],
      verify: { #expect($0.wrong.events == []) }
    )
  }

  @Test(.exitTests) func `ten thousand waits that gave up leave the future small`() async {
    // In a process of its own, where nothing else allocates.
    await #expect(processExitsWith: .success) {
      let future = ValueFuture<Int>(label: "long-lived")
      @Sendable func giveUp(times: Int) {
        for index in 0..<times {
          _ = try? future.wait(timeout: index.isMultiple(of: 64) ? .nanoseconds(1) : .nanoseconds(0))
        }
      }
      await onThread { giveUp(times: 10_000) }
      // Each wait that was left behind would be a node, a closure and a semaphore, every time; what a busy machine makes
      // of the process once isn't there each time.
      var growth = Int.max
      for _ in 0..<5 where growth >= 1 << 20 {
        let before = residentBytes()
        await onThread { giveUp(times: 10_000) }
        growth = isSanitized ? 0 : (residentBytes() ?? 0) - (before ?? 0)
      }
      #expect(growth < 1 << 20)
      #expect(future.description == "ValueFuture<Int>(\"long-lived\", pending)")
    }
  }

  // MARK: Waits that could never end

  @Test(.exitTests) func `waiting on the own private queue stops the program and names the future`() async throws {
    let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let future = ValueFuture<Int>(label: "the download")
      let waitInside: @Sendable () -> Void = { _ = try? future.wait() }
      await future.withTurn { waitInside() }
    }
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(text.contains("would never end"))
    #expect(text.contains("the download"))
  }

  @Test func `waiting in a handler of the same future returns its value`() async {
    let future = ValueFuture<Int>()
    let log = EventLog<Int?>()
    future.onValue { _ in
      log.add(try? future.wait())
      log.add(try? future.wait(timeout: .seconds(3_600)))
    }
    future.complete(with: 7)
    _ = await future.handlersFinished
    #expect(log.events == [7, 7])
  }

  @Test func `a wait on the own private queue with a time limit ends at the limit`() async {
    let future = ValueFuture<Int>()
    let error = await future.withTurn { future.waitError(.milliseconds(1)) }
    #expect(error is TimeoutError)
  }
}

extension ValueFuture {
  /// For the inside of asynchronous functions' closures.
  fileprivate func waitError(_ timeout: Duration) -> (any Error)? {
    Result { try wait(timeout: timeout) }.error
  }
}

/// What the process occupies, as the kernel counts it; nil where it doesn't tell.
private func residentBytes() -> Int? {
  let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
  let line = status?.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
  return line?.split { !$0.isNumber }.first.flatMap { Int($0) }.map { $0 * 1024 }
}
