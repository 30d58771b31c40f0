// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFuture
import RaceFreeFutureTesting
import Synchronization
import TestSupport
import Testing

@Suite struct SharedFutureTests {
  @Test func `every joiner gets the value in a future of its own`() async throws {
    let work = ValueFuture<Int>(label: "work")
    let shared = SharedFuture(work)
    let joiners = (0..<3).compactMap { _ in shared.join() }
    #expect(Set(joiners).count == 3)
    work.complete(with: 5)
    for joiner in joiners { #expect(try await joiner.value == 5) }
    #expect(joiners[0].description == "ValueFuture<Int>(\"work\", completed)")
  }

  @Test func `joiners share an error, and a cancellation of the work itself`() async {
    let failing = ValueFuture<Int>()
    let first = SharedFuture(failing).join()
    failing.complete(throwing: Reason("broken"))
    await #expect(throws: Reason("broken")) { try await first?.value }
    let stopping = ValueFuture<Int>()
    let second = SharedFuture(stopping).join()
    stopping.cancel(throwing: Reason("stopped"))
    await #expect(throws: Reason("stopped")) { try await second?.value }
  }

  @Test func `the work is cancelled when the last joiner has cancelled, never before`() throws {
    let work = ValueFuture<Int>()
    let shared = SharedFuture(work)
    let joiners = (0..<4).compactMap { _ in shared.join() }
    for joiner in joiners.dropLast() {
      joiner.cancel()
      #expect(joiner.isCancelled)
      #expect(work.isPending)
    }
    #expect(joiners[3].isPending)
    joiners[3].cancel()
    #expect(work.isCancelled)
  }

  @Test func `the work is cancelled when the last joiner has gone`() {
    let work = ValueFuture<Int>()
    let shared = SharedFuture(work)
    do {
      let stays = shared.join()
      do {
        _ = shared.join()
      }
      #expect(work.isPending)
      #expect(stays?.isPending == true)
    }
    #expect(work.isCancelled)
    #expect(shared.join() == nil)
  }

  @Test func `a joiner that is cancelled by a timeout or a parent is away`() {
    let work = ValueFuture<Int>()
    let shared = SharedFuture(work)
    let parent = Future()
    let (first, second) = (shared.join(), shared.join())
    if let second { parent.cascadeCancellation(to: second) }
    first?.cancel(after: .seconds(0))
    #expect(work.isPending)
    parent.cancel()
    #expect(work.isCancelled)
    withExtendedLifetime((first, second)) {}
  }

  @Test(arguments: [Future.Outcome.completed, .cancelled])
  func `a joiner that only handlers know stays, and they hear of the outcome`(_ outcome: Future.Outcome) throws {
    let (work, log) = (ValueFuture<Int>(), EventLog<String>())
    let shared = SharedFuture(work)
    do { try #require(shared.join()).onValue(on: .inline) { log.add("value \($0)") } }
    do { try #require(shared.join()).onCancel(on: .inline) { log.add("cancelled") } }
    do { try #require(shared.join()).onCleanUp(on: .inline) { log.add("clean-up") } }
    // None of them was dropped with its last reference.
    #expect(work.isPending && log.events.isEmpty)
    if outcome == .completed { work.complete(with: 7) } else { work.cancel() }
    #expect(log.events == (outcome == .completed ? ["value 7", "clean-up"] : ["cancelled", "clean-up"]))
  }

  @Test(arguments: 0..<5)
  func `a joiner that nobody holds stays as long as something depends on it`(_ kind: Int) async throws {
    let (work, got) = (ValueFuture<Int>(), EventLog<Int>())
    let shared = SharedFuture(work)
    var derived: [ValueFuture<Int>] = []
    let scope = Scope()
    do {
      let joiner = try #require(shared.join())
      switch kind {
      case 0: derived.append(joiner.map { $0 + 1 })
      case 1: derived.append(joiner.timeout(after: .seconds(1_000_000)))
      case 2: derived.append(ValueFuture.any([joiner]))
      case 3: derived.append(ValueFuture.completed(with: 0).flatMap { _ in joiner })
      default: scope.add(joiner)
      }
    }
    #expect(work.isPending && scope.count == (kind == 4 ? 1 : 0))
    work.complete(with: 7)
    for future in derived { got.add(try await future.value) }
    await scope.drain()
    #expect(got.events == (kind == 0 ? [8] : kind == 4 ? [] : [7]))
  }

  @Test func `what was derived from a joiner that nobody holds makes it leave when it is cancelled`() throws {
    let work = ValueFuture<Int>()
    let shared = SharedFuture(work)
    let mapped = try #require(shared.join()).map { $0 + 1 }
    #expect(work.isPending)
    mapped.cancel()
    #expect(work.isCancelled)
  }

  @Test func `a joiner that something depended on is released at the outcome, with its work`() throws {
    let live = LiveCount()
    for outcome in [Future.Outcome.completed, .cancelled] {
      let work = ValueFuture<Int>()
      do {
        let shared = SharedFuture(work)
        let joiner = try #require(shared.join())
        joiner.onCleanUp(on: .inline) { [instance = live.make()] in instance.touch() }
        _ = joiner.map { $0 + 1 }
      }
      #expect(live.value == 1)
      if outcome == .completed { work.complete(with: 1) } else { work.cancel() }
      #expect(live.value == 0)
    }
  }

  @Test func `as long as nobody has joined the work is left alone`() {
    let work = ValueFuture<Int>()
    do { _ = SharedFuture(work) }
    #expect(work.isPending)
  }

  @Test func `joining finished work gives its value, also after all others have left`() async throws {
    let work = ValueFuture<Int>()
    let shared = SharedFuture(work)
    do { _ = shared.join() }
    #expect(work.isCancelled)
    let done = SharedFuture(ValueFuture.completed(with: 3))
    for _ in 0..<3 { #expect(try await done.join()?.value == 3) }
    let failed = SharedFuture(ValueFuture<Int>.completed(throwing: Reason("no")))
    await #expect(throws: Reason("no")) { try await failed.join()?.value }
  }

  @Test func `joining work that has been cancelled, or is going to be, is refused`() async {
    let cancelled = ValueFuture<Int>()
    cancelled.cancel()
    #expect(SharedFuture(cancelled).join() == nil)
    // The last joiner has left, but the cancellation is queued behind a block.
    let (work, gate) = (ValueFuture<Int>(), Gate("line"))
    work.standStill(until: gate)
    let shared = SharedFuture(work)
    shared.join()?.cancel()
    #expect(work.isPending)
    #expect(shared.join() == nil)
    gate.open()
    #expect(await work.outcome == .cancelled)
    #expect(shared.join() == nil)
  }

  @Test func `lazy work starts when the first one joins, and once`() async throws {
    let runs = EventLog<Int>()
    let shared = SharedFuture(
      .lazy { _ in
        runs.add(1)
        return 9
      }
    )
    #expect(runs.events.isEmpty)
    let joiners = (0..<3).compactMap { _ in shared.join() }
    for joiner in joiners { #expect(try await joiner.value == 9) }
    #expect(runs.events == [1])
  }

  @Test func `joiners keep the work alive, and the work doesn't keep them`() async throws {
    let live = LiveCount()
    let promise = EventLog<ValueFuture<Int>>()
    func start() -> SharedFuture<Int> {
      let work = ValueFuture<Int>()
      work.onCleanUp { [kept = live.make()] in kept.touch() }
      promise.add(work)
      return SharedFuture(work)
    }
    var shared: SharedFuture<Int>? = start()
    let joiner = shared?.join()
    shared = nil
    let (weakWork, token) = (WeakWork(promise.events[0]), promise.events[0].cancelToken.weak)
    promise.removeAll()
    #expect(!weakWork.isGone)
    joiner?.cancel()
    _ = await token()?.handlersFinished
    #expect(live.value == 0)
  }

  @Test func `a value that no joiner received goes to onUndelivered when all have gone`() {
    let log = EventLog<Int>()
    do {
      let work = ValueFuture<Int>(onUndelivered: { log.add($0) })
      let shared = SharedFuture(work)
      let joiner = shared.join()
      work.complete(with: 4)
      withExtendedLifetime(joiner) {}
    }
    #expect(log.events == [4])
    do {
      let work = ValueFuture<Int>(onUndelivered: { log.add($0) })
      let joiner = SharedFuture(work).join()
      work.complete(with: 5)
      #expect((try? joiner?.result?.get()) == 5)
    }
    #expect(log.events == [4])
  }

  @Test func `a thousand joiners come and go and leave nothing behind`() {
    let work = ValueFuture<Int>(label: "long")
    let shared = SharedFuture(work)
    let stays = shared.join()
    let live = LiveCount()
    for _ in 0..<500 {
      do { _ = shared.join() }
      let joiner = shared.join()
      joiner?.onCancel(on: .inline) { [kept = live.make()] in kept.touch() }
      joiner?.cancel()
    }
    #expect(live.value == 0)
    #expect(work.description == "ValueFuture<Int>(\"long\", pending)")
    stays?.cancel()
    #expect(work.isCancelled)
  }
}
