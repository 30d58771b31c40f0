// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

@Suite struct FutureTimingTests {
  @Test(arguments: [Duration.seconds(0), .nanoseconds(0), .milliseconds(-1), .seconds(Int64.min)])
  func `zero or less cancels at once, on the calling thread`(_ interval: Duration) async {
    await onThread {
      let future = Future(label: "work")
      let caller = ObjectIdentifier(Thread.current)
      let log = EventLog<Bool>()
      future.onCancel(on: .inline) { log.add(ObjectIdentifier(Thread.current) == caller) }
      let registration = future.cancel(after: interval)
      #expect(future.isCancelled)
      #expect(log.events == [true])
      #expect(future.cancellationReason as? TimeoutError == TimeoutError(interval: interval, label: "work"))
      #expect(!registration.unregister())
    }
  }

  @Test func `a time too long to pass keeps the reason until it is unregistered`() {
    let future = Future()
    let live = LiveCount()
    let deadline = future.cancel(after: .seconds(Int64.max), throwing: Held(live))
    #expect(live.value == 1)
    #expect(deadline.unregister())
    #expect(live.value == 0)
    #expect(future.tryComplete())
  }

  @Test func `when the time has passed the future is cancelled with a TimeoutError`() async {
    let future = Future(label: "work")
    let log = EventLog<TimeoutError?>()
    future.onCancel { log.add($0 as? TimeoutError) }
    future.cancel(after: .milliseconds(2))
    #expect(await future.handlersFinished == .cancelled)
    #expect(log.events == [TimeoutError(interval: .milliseconds(2), label: "work")])
  }

  @Test func `without a label the error says where the future was made`() async {
    let future = Future()
    let line = #line - 1
    future.cancel(after: .seconds(0))
    let error = future.cancellationReason as? TimeoutError
    #expect(error?.label == "made at \(#fileID):\(line)")
  }

  @Test func `an explicit reason is the reason`() async {
    let future = Future()
    future.cancel(after: .milliseconds(1), throwing: Reason("too slow"))
    #expect(await future.outcome == .cancelled)
    #expect(reason(future.cancellationReason) == Reason("too slow"))
    let atOnce = Future()
    atOnce.cancel(after: .seconds(0), throwing: Reason("too slow"))
    #expect(reason(atOnce.cancellationReason) == Reason("too slow"))
  }

  @Test func `it doesn't fire early`() async {
    let future = Future()
    let start = DispatchTime.now()
    future.cancel(after: .milliseconds(20))
    _ = await future.outcome
    #expect(DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds >= 20_000_000)
  }

  @Test func `a timer that is far away doesn't fire and is unregistered`() {
    for interval in [Duration.seconds(3_600), .seconds(100 * 365 * 86_400)] {
      let future = Future()
      let registration = future.cancel(after: interval)
      #expect(future.isPending)
      #expect(registration.unregister())
      #expect(!registration.unregister())
      #expect(future.tryComplete())
    }
  }

  @Test func `a timer that was unregistered doesn't fire`() async {
    let future = Future()
    let isRemoved = future.cancel(after: .milliseconds(20), throwing: Reason("first")).unregister()
    future.cancel(after: .milliseconds(40), throwing: Reason("second"))
    #expect(await future.outcome == .cancelled)
    // On a machine so busy that the first one fired before it could be taken back, `remove` has said so.
    #expect(reason(future.cancellationReason) == Reason(isRemoved ? "second" : "first"))
  }

  @Test func `of several timers the first one counts`() async {
    let future = Future()
    let later = future.cancel(after: .seconds(3_600), throwing: Reason("late"))
    future.cancel(after: .milliseconds(1), throwing: Reason("early"))
    #expect(await future.outcome == .cancelled)
    #expect(reason(future.cancellationReason) == Reason("early"))
    _ = await future.handlersFinished
    #expect(!later.unregister())
  }

  @Test func `at the outcome the timer is released with its reason`() async {
    for outcome in [Future.Outcome.completed, .cancelled] {
      let future = Future()
      let released = Gate("reason released")
      future.cancel(after: .seconds(3_600), throwing: OnDeinit { released.open() })
      future.resolve(outcome)
      await released.passed()
    }
  }

  @Test func `unregistered it is released with its reason`() async {
    let future = Future()
    let released = Gate("reason released")
    #expect(future.cancel(after: .seconds(3_600), throwing: OnDeinit { released.open() }).unregister())
    await released.passed()
    #expect(future.isPending)
  }

  @Test func `a timer keeps its future until it fires`() async {
    let fired = Gate("fired")
    let gone = Gate("future released")
    func start() -> Weak<Future> {
      let future = Future()
      future.onCancel { [last = OnDeinit { gone.open() }] in
        last.touch()
        fired.open()
      }
      future.cancel(after: .milliseconds(2))
      return Weak(future)
    }
    _ = start()
    await fired.passed()
    await gone.passed()
  }

  @Test func `on a resolved future no timer is set`() {
    let live = LiveCount()
    let completed = Future()
    completed.complete()
    #expect(!completed.cancel(after: .seconds(3_600), throwing: Held(live)).unregister())
    #expect(!completed.cancel(after: .seconds(0), throwing: Held(live)).unregister())
    #expect(completed.isCompleted)
    let cancelled = Future()
    cancelled.cancel(throwing: Reason("own"))
    #expect(!cancelled.cancel(after: .seconds(0)).unregister())
    #expect(reason(cancelled.cancellationReason) == Reason("own"))
    #expect(live.value == 0)
  }

  @Test func `a time that passes behind a perform block cancels after the block`() async {
    let future = Future()
    let gate = Gate("line")
    let log = EventLog<Bool>()
    let fired = Future()
    fired.cancel(after: .milliseconds(5))
    future.perform {
      gate.wait()
      log.add(future.isPending)
    }
    future.cancel(after: .milliseconds(1))
    _ = await fired.outcome
    gate.open()
    #expect(await future.outcome == .cancelled)
    #expect(log.events == [true])
  }

  @Test func `of unregistered and fired exactly one holds`() async {
    await onThread {
      for round in 0..<iterations(1_500) {
        let future = Future()
        let registration = future.cancel(after: .microseconds(1))
        for _ in 0..<(round % 300) { _ = future.isPending }
        if registration.unregister() {
          #expect(future.tryComplete())
        } else {
          #expect(future.wait() == .cancelled)
        }
      }
    }
  }

  @Test func `of completed and timed out exactly one holds`() async {
    for round in 0..<iterations(300) {
      let future = Future()
      let log = EventLog<Future.Outcome>()
      future.onCleanUp(on: .inline) { log.add($0) }
      future.cancel(after: .microseconds(20))
      for _ in 0..<(round % 60) { _ = future.isPending }
      let won = future.tryComplete()
      #expect(await future.handlersFinished == (won ? .completed : .cancelled))
      #expect(log.events == [won ? .completed : .cancelled])
    }
  }

  /// A reason that is counted.
  private struct Held: Error {
    let instance: LiveCount.Instance
    init(_ live: LiveCount) { instance = live.make() }
  }
}
