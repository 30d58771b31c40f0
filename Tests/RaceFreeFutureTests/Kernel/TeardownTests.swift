// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting
import TestSupport
import Testing

@testable import RaceFreeFuture

/// The end of a future that is dropped while it is pending.
@Suite struct TeardownTests {
  @Test func `its handlers are released without being run`() {
    let live = LiveCount()
    do {
      let future = Future()
      for context in [HandlerPlace.inline, .serialQueue, .main, .inline] {
        future.onCleanUp(on: context) { [instance = live.make()] in
          instance.touch()
          Issue.record("a handler of a dropped future ran")
        }
      }
      #expect(live.value == 4)
    }
    #expect(live.value == 0)
  }

  @Test func `many handlers are released without exhausting the stack`() async {
    let live = LiveCount()
    await onThread(stackSize: 512 << 10) {
      let future = Future()
      for _ in 0..<100_000 { future.onComplete { [instance = live.make()] in instance.touch() } }
    }
    #expect(live.value == 0)
  }

  @Test func `a combined future that can't complete without it is cancelled`() {
    let other = Future(label: "other")
    func droppedBeside(_ combine: ([Future]) -> Future) -> Future {
      combine([other, Future(label: "dropped")])
    }
    let all = droppedBeside(Future.all)
    #expect((all.cancellationReason as? AbandonedError)?.origin.label == "dropped")
    let any = droppedBeside(Future.any)
    #expect(any.isPending, "the other one may still complete it")
    other.cancel(throwing: Reason("the last"))
    #expect(reason(any.cancellationReason) == Reason("the last"))
  }

  @Test func `of futures that have all been dropped none can complete any`() {
    let any = Future.any([Future(label: "1"), Future(label: "2")])
    #expect(any.cancellationReason is AbandonedError)
  }

  @Test func `stages that keep the next future in a chain are dropped without exhausting the stack`() async {
    let live = LiveCount()
    await onThread(stackSize: 512 << 10) {
      var next = ValueFuture<Int>()
      for _ in 0..<iterations(100_000) {
        let future = ValueFuture<Int>()
        _ = future.map { [next, instance = live.make()] in
          instance.touch()
          return next.isPending ? $0 : 0
        }
        next = future
      }
      next = ValueFuture()
    }
    #expect(live.value == 0)
  }

  @Test func `completers that keep each other in handlers are dropped without exhausting the stack`() async {
    let live = LiveCount()
    await onThread(stackSize: 512 << 10) {
      var last = Future.makeCompleter()
      for _ in 0..<iterations(100_000) {
        let next = Future.makeCompleter()
        next.onCancel(on: .inline) { [last, instance = live.make()] in
          instance.touch()
          _ = last
        }
        last = next
      }
      last = Future.makeCompleter()
    }
    #expect(live.value == 0)
  }

  @Test func `waiters for a future that it was to decide continue before its handlers are released`() async {
    let outer = Future()
    let told = EventLog<Bool>()
    func dropped() {
      let inner = Future()
      outer.passControl(to: inner)
      let object = OnDeinit { told.add(outer.isCancelled) }
      inner.onCancel { object.touch() }
    }
    dropped()
    #expect(told.events == [true])
  }

  @Test func `all that follow it are cancelled before the closure of one of them is released`() {
    let told = EventLog<Bool>()
    let second = Locked<ValueFuture<Int>?>(nil)
    do {
      let source = ValueFuture<Int>()
      let object = OnDeinit { told.add(second.withLock { $0 }?.isCancelled == true) }
      _ = source.map { ($0, object.touch()).0 }
      let target = source.map { $0 }
      second.withLock { $0 = target }
    }
    #expect(told.events == [true])
  }

  @Test func `what answers to each outcome of a future also answers to its release`() {
    func followers() -> (settled: ValueFuture<[Result<Int, any Error>]>, race: ValueFuture<Int>) {
      let dropped = ValueFuture<Int>(label: "dropped")
      return (.allSettled([dropped]), .race([dropped]))
    }
    let (settled, race) = followers()
    for error in [settled.result?.value?.first?.error, race.cancellationReason] {
      #expect((error as? AbandonedError)?.origin.label == "dropped")
    }
  }

  @Test func `a chain of futures that speak for each other ends when the first is dropped`() async {
    let isCancelled = await onThread(stackSize: 512 << 10) {
      var first: Future? = Future()
      var last = first ?? Future()
      var chain: [Future] = []
      for _ in 0..<iterations(100_000) {
        let outer = Future()
        outer.passControl(to: last)
        chain.append(outer)
        last = outer
      }
      #expect(last.isPending)
      first = nil
      _ = first
      return chain.allSatisfy { $0.isCancelled }
    }
    #expect(isCancelled)
  }

  @Test func `a future whose release has to wait for its turn is known to nobody when it has gone`() async {
    await onThread(stackSize: 8 << 20) {
      let target = Future()
      var source: Future? = Future()
      guard let link = source.map({ Link(.follow, backward: .cascade, from: $0, to: target, keeping: .target) }) else {
        return
      }
      source?.connect(link, to: target)
      /// Uses up the stack that nested actions may have.
      @inline(never) func dive(_ level: Int) -> Int {
        if level > 0 { return dive(level - 1) + 1 }
        source = nil
        #expect(target.isPending, "what is left of the source has its turn later")
        #expect(link.future(at: .source) == nil)
        return 0
      }
      Trampoline.run { _ = dive(3_000) }
      #expect(target.isCancelled)
    }
  }

  @Test func `joiners of shared work that keep each other in a chain are dropped without exhausting the stack`() async {
    let live = LiveCount()
    await onThread(stackSize: 512 << 10) {
      var last = ValueFuture<Int>()
      last.onCleanUp(on: .inline) { [instance = live.make()] in instance.touch() }
      for _ in 0..<iterations(100_000) {
        guard let joiner = SharedFuture(last).join() else { return }
        last = joiner
      }
      #expect(live.value == 1)
      last = ValueFuture()
    }
    #expect(live.value == 0)
  }
}
