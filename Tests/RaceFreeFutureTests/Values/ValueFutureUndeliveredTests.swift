// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

/// What becomes of values that nobody receives.
@Suite struct ValueFutureUndeliveredTests {
  private let log = EventLog<Int>()

  private func make() -> ValueFuture<Int> {
    ValueFuture(onUndelivered: { [log] in log.add($0) })
  }

  // MARK: Too late

  @Test func `a value that comes too late goes to onUndelivered once, and the first one stays`() {
    let future = make()
    future.complete(with: 1)
    future.complete(with: 2)
    #expect(log.events == [2])
    future.complete(with: .success(3) as Result<Int, Reason>)
    #expect(log.events == [2, 3])
    #expect(future.result?.value == 1)
  }

  @Test func `a value that comes after a failure or a cancellation goes to onUndelivered`() {
    let (failed, cancelled) = (make(), make())
    failed.complete(throwing: Reason("broken"))
    failed.complete(with: 1)
    cancelled.cancel()
    cancelled.complete(with: 2)
    #expect(log.events == [1, 2])
  }

  @Test func `an error that comes too late doesn't go to onUndelivered`() {
    let future = make()
    future.cancel()
    future.complete(throwing: Reason("late"))
    future.complete(with: .failure(Reason("late")))
    #expect(log.events == [])
  }

  @Test func `a late value goes to onUndelivered on the thread that gave it, before the call returns`() async {
    let isHere = await onThread {
      let giver = ObjectIdentifier(Thread.current)
      let threads = EventLog<Bool>()
      let future = ValueFuture<Int>(onUndelivered: { _ in threads.add(ObjectIdentifier(Thread.current) == giver) })
      future.cancel()
      future.complete(with: 7)
      return threads.events
    }
    #expect(isHere == [true])
  }

  @Test func `a value for which tryComplete returned false is the caller's`() async {
    let log = log
    @Sendable func tryTooLate() -> Bool {
      let future = ValueFuture<Int>(onUndelivered: { log.add($0) })
      future.cancel()
      return future.tryComplete(with: 7)
    }
    #expect(!tryTooLate())
    #expect(log.events == [])
  }

  @Test func `a value that tryComplete took goes to onUndelivered if nobody receives it`() {
    func take() -> Bool { make().tryComplete(with: 7) }
    #expect(take())
    #expect(log.events == [7])
  }

  @Test func `a value queued behind a block that decides goes to onUndelivered once`() async {
    let future = make()
    let gate = Gate("line")
    future.perform {
      gate.wait()
      future.cancel(throwing: Reason("first"))
    }
    future.complete(with: 7)
    #expect(future.isPending)
    #expect(log.events == [])
    gate.open()
    await future.withTurn {}
    #expect(log.events == [7])
    #expect(reason(future.cancellationReason) == Reason("first"))
  }

  @Test func `a value queued behind another goes to onUndelivered, and the other one doesn't`() async {
    let future = make()
    let gate = Gate("line")
    future.standStill(until: gate)
    future.complete(with: 1)
    future.complete(with: 2)
    gate.open()
    await future.withTurn {}
    #expect(log.events == [2])
    #expect(future.result?.value == 1)
  }

  @Test func `a value that tryComplete queues, and that loses, is the caller's`() async {
    let future = make()
    let gate = Gate("line")
    future.perform {
      gate.wait()
      future.cancel()
    }
    let attempt = Task { await onThread { future.tryComplete(with: 7) } }
    gate.open()
    #expect(await attempt.value == false)
    await future.withTurn {}
    #expect(log.events == [])
  }

  // MARK: Accepted and dropped

  @Test func `a value that nobody received goes to onUndelivered when the last reference goes`() {
    func drop() {
      let future = make()
      future.complete(with: 7)
      let copy = future
      #expect(copy.isCompleted)
      #expect(log.events == [])
    }
    drop()
    #expect(log.events == [7])
  }

  @Test func `it goes to onUndelivered on the thread that drops the reference`() async {
    let threads = EventLog<ObjectIdentifier>()
    let holder = EventLog<ValueFuture<Int>>()
    func fill() {
      let future = ValueFuture<Int>(onUndelivered: { _ in threads.add(ObjectIdentifier(Thread.current)) })
      future.complete(with: 7)
      holder.add(future)
    }
    fill()
    #expect(threads.events == [])
    let isHere = await onThread {
      holder.removeAll()
      return threads.events == [ObjectIdentifier(Thread.current)]
    }
    #expect(isHere)
  }

  @Test func `nil goes to onUndelivered as any value, and so does Void`() {
    let nothings = EventLog<Int?>()
    let voids = EventLog<String>()
    func drop() {
      ValueFuture<Int?>(onUndelivered: { nothings.add($0) }).complete(with: nil)
      ValueFuture<Void>(onUndelivered: { voids.add("void") }).complete()
    }
    drop()
    #expect(nothings.events == [nil])
    #expect(voids.events == ["void"])
  }

  @Test func `failed, cancelled and pending ones have nothing for onUndelivered`() {
    func drop() {
      make().complete(throwing: Reason("broken"))
      make().cancel()
      _ = make()
    }
    drop()
    #expect(log.events == [])
  }

  @Test func `what looks at the outcome only doesn't receive the value`() async throws {
    func look() async throws {
      let future = make()
      future.onFailure(on: .inline) { _ in Issue.record("a value is no failure") }
      future.onCancel(on: .inline) { Issue.record("a value is no cancellation") }
      future.onCleanUp(on: .inline) {}
      future.onCleanUp { _ in }
      future.complete(with: 7)
      #expect(future.isCompleted)
      #expect(await future.handlersFinished == .completed)
      #expect(await onThread { future.cancelToken.wait() } == .completed)
      try await future.cancelToken.value
    }
    try await look()
    // Whoever was told of the outcome may still be about to let go of the future.
    try await log.wait(for: 1)
    #expect(log.events == [7])
  }

  @Test func `it is released with the future`() {
    let live = LiveCount()
    func use(_ end: (ValueFuture<Int>) -> Void) {
      let future = ValueFuture<Int>(onUndelivered: { [instance = live.make()] _ in instance.touch() })
      end(future)
      #expect(live.value == 1)
    }
    use { _ in }
    use { $0.cancel() }
    use { $0.complete(with: 7) }
    use {
      $0.complete(with: 7)
      _ = $0.result
    }
    #expect(live.value == 0)
  }

  // MARK: Received

  /// Ways to receive a value.
  enum Receiver: CaseIterable, Sendable {
    case onResult, onValue, lateOnValue, result, wait, waitWithTimeout, value, valueWithin, map, flatMap, all, zip
    case allSettled
  }

  private func receive(_ future: ValueFuture<Int>, _ receiver: Receiver, _ received: EventLog<Int>) async throws {
    switch receiver {
    case .onResult: future.onResult { received.add($0.value ?? 0) }
    case .onValue: future.onValue(on: .inline) { received.add($0) }
    case .map: _ = future.map { received.add($0) }
    case .flatMap:
      _ = future.flatMap {
        received.add($0)
        return ValueFuture<Int>()
      }
    default: break
    }
    future.complete(with: 7)
    _ = await future.handlersFinished
    switch receiver {
    case .onResult, .onValue, .map, .flatMap: break
    case .lateOnValue: future.onValue(on: .inline) { received.add($0) }
    case .result: received.add(future.result?.value ?? 0)
    case .wait: received.add(await onThread { (try? future.wait()) ?? 0 })
    case .waitWithTimeout: received.add(await onThread { (try? future.wait(timeout: .seconds(3_600))) ?? 0 })
    case .value: received.add(try await future.value)
    case .valueWithin: received.add(try await future.value(within: .seconds(3_600)))
    case .all: received.add(try await ValueFuture.all([future]).value[0])
    case .zip:
      let (value, _) = try await ValueFuture.zip(future, .completed(with: "other")).value
      received.add(value)
    case .allSettled: received.add(try await ValueFuture.allSettled([future]).value[0].get())
    }
  }

  @Test(arguments: Receiver.allCases)
  func `a value that was received doesn't go to onUndelivered`(_ receiver: Receiver) async throws {
    let (received, live) = (EventLog<Int>(), LiveCount())
    func use() async throws {
      let future = ValueFuture<Int>(onUndelivered: { [log, instance = live.make()] in
        instance.touch()
        log.add($0)
      })
      try await receive(future, receiver, received)
    }
    try await use()
    // A handler on a queue is released after it has returned.
    try await eventually("everything is released") { live.value == 0 }
    #expect(received.events == [7])
    #expect(log.events == [])
  }

  @Test func `each value of a combination of combinations is received with it`() {
    func use() {
      let pairs = [0, 2].map { number in
        let futures = [make(), make()]
        for (index, future) in futures.enumerated() { future.complete(with: number + index) }
        return ValueFuture.zip(futures[0], futures[1])
      }
      #expect(ValueFuture.all(pairs).result?.value?.map(\.1) == [1, 3])
    }
    use()
    #expect(log.events == [])
  }

  @Test func `a value on its way to a handler is received when that runs`() async {
    let other = MarkedQueue("other")
    let received = EventLog<Int>()
    func use() {
      let future = make()
      future.onValue(on: other.queue) { received.add($0) }
      other.queue.suspend()
      future.complete(with: 7)
    }
    use()
    #expect(received.events == [])
    #expect(log.events == [])
    other.queue.resume()
    await other.drained()
    #expect(received.events == [7])
    #expect(log.events == [])
  }

  @Test func `a value on its way to a handler that is unregistered goes to onUndelivered`() async {
    let other = MarkedQueue("other")
    func use() {
      let future = make()
      let registration = future.onValue(on: other.queue) { _ in Issue.record("it was removed") }
      other.queue.suspend()
      future.complete(with: 7)
      #expect(registration.unregister())
    }
    use()
    other.queue.resume()
    await other.drained()
    #expect(log.events == [7])
  }

  @Test func `whether a task gets it or is cancelled first, each value goes to onUndelivered or is received, once`()
    async throws
  {
    let (live, received) = (LiveCount(), EventLog<Int>())
    let rounds = iterations(500)
    for round in 0..<rounds {
      let future = ValueFuture<Int>(onUndelivered: { [log, instance = live.make()] in
        instance.touch()
        log.add($0)
      })
      let task = Task { received.add(try await future.value) }
      for _ in 0..<(round % 3) { await Task.yield() }
      let completing = Task { future.complete(with: round) }
      task.cancel()
      await completing.value
      _ = await task.result
    }
    try await eventually("everything is released") { live.value == 0 }
    #expect((received.events + log.events).sorted() == Array(0..<rounds))
  }
}
