// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

/// The laws of `LawTests`, as far as they say more about a future that has a value.
@Suite struct ValueLawTests {
  @Test func `L1 the first call wins, value included`() throws {
    let future = ValueFuture<String>()
    future.complete(with: "first")
    future.complete(with: "second")
    future.complete(throwing: Reason("third"))
    future.cancel()
    #expect(!future.tryComplete(with: "fourth"))
    #expect(try future.result?.get() == "first")
    let cancelled = ValueFuture<String>()
    cancelled.cancel()
    cancelled.complete(with: "late")
    #expect(cancelled.result == nil)
    #expect(cancelled.isCancelled)
  }

  @Test(arguments: ["value", "error", "cancellation"])
  func `L2 each handler of the result runs once, and none of another result does`(end: String) async {
    let future = ValueFuture<Int>()
    let log = EventLog<String>()
    future.onValue { _ in log.add("value") }
    future.onFailure { _ in log.add("error") }
    future.onResult { _ in log.add("result") }
    future.onCancel { log.add("cancellation") }
    future.onCleanUp { log.add("clean-up") }
    switch end {
    case "value": future.complete(with: 1)
    case "error": future.complete(throwing: Reason("no"))
    default: future.cancel()
    }
    _ = await future.handlersFinished
    #expect(log.events == (end == "cancellation" ? [end, "clean-up"] : [end, "result", "clean-up"]))
  }

  @Test func `L5 a value that is set inside a perform block is there in the block, and handlers start after it`() async
  {
    let future = ValueFuture<Int>()
    let log = EventLog<String>()
    future.onValue(on: .inline) { log.add("handler \($0)") }
    future.performAndWait {
      guard future.isPending, future.tryComplete(with: 1) else { return }
      log.add("block \((try? future.result?.get()) ?? 0)")
    }
    #expect(log.events == ["block 1", "handler 1"])
  }

  @Test(arguments: [true, false])
  func `L7 at the outcome a chain releases its closures and links, from whichever end it came`(completes: Bool) {
    let live = LiveCount()
    let source = ValueFuture<Int>(label: "source")
    let other = ValueFuture<Int>(label: "other")
    let mapped = source.map { [kept = live.make()] value in
      kept.touch()
      return value
    }
    let chosen = mapped.flatMap { [kept = live.make()] value in
      kept.touch()
      return .completed(with: value)
    }
    let raced = ValueFuture.race([
      chosen,
      other.recover { [kept = live.make()] _ in
        kept.touch()
        return 0
      },
    ])
    #expect(live.value == 3)
    if completes { source.complete(with: 1) } else { raced.cancel() }
    #expect(raced.isCompleted == completes)
    if completes {
      // The loser goes on by itself and knows nothing of the race.
      #expect(live.value == 1)
      let race = WeakWork(raced)
      #expect(!race.isGone)
      other.cancel()
    } else {
      #expect(source.isCancelled)
      #expect(other.isCancelled)
    }
    #expect(live.value == 0)
  }

  @Test func `L8 what was done before completing is visible to code that gets the value`() async throws {
    final class Box: @unchecked Sendable { var content = 0 }
    for _ in 0..<iterations(200) {
      let future = ValueFuture<Box>()
      startThread {
        let box = Box()
        box.content = 42
        future.complete(with: box)
      }
      #expect(try await future.value.content == 42)
    }
  }

  @Test func `L9 a future that was made from one that is dropped wakes its waiters`() async {
    func make() -> (ValueFuture<Int>, ValueFuture<[Int]>, ValueFuture<Int>) {
      let source = ValueFuture<Int>(label: "source")
      let other = ValueFuture<Int>.completed(with: 1)
      return (source.map { $0 }.map { $0 }, .all([other, source]), .any([source, source]))
    }
    let (mapped, all, any) = make()
    let errors = [
      await #expect(throws: AbandonedError.self) { try await mapped.value },
      await #expect(throws: AbandonedError.self) { try await all.value },
      await #expect(throws: AbandonedError.self) { try await any.value },
    ]
    for error in errors { #expect(error?.origin.label == "source") }
  }

  /// How many are a long chain; a run with a fraction of the usual iterations takes a part of them.
  private let length = min(100_000, iterations(100_000))

  /// A long chain of stages whose closures are counted.
  private func chain(_ live: LiveCount) -> (first: ValueFuture<Int>, last: ValueFuture<Int>) {
    let first = ValueFuture<Int>()
    var last = first
    for index in 0..<length {
      let kept = live.make()
      if index.isMultiple(of: 10) {
        last = last.flatMap { value in
          kept.touch()
          return .completed(with: value + 1)
        }
      } else {
        last = last.map { value in
          kept.touch()
          return value + 1
        }
      }
    }
    return (first, last)
  }

  @Test func `L10 chains of 100,000 stages are completed without exhausting the stack`() async {
    let live = LiveCount()
    let result = await onThread {
      let (first, last) = chain(live)
      first.complete(with: 0)
      return try? last.result?.get()
    }
    #expect(result == length)
    #expect(live.value == 0)
  }

  @Test(arguments: [true, false])
  func `L10 chains of 100,000 stages are cancelled from either end without exhausting the stack`(fromFirst: Bool) async
  {
    let live = LiveCount()
    let areCancelled = await onThread {
      let (first, last) = chain(live)
      if fromFirst { first.cancel() } else { last.cancel() }
      return first.isCancelled && last.isCancelled
    }
    #expect(areCancelled)
    #expect(live.value == 0)
  }

  @Test(arguments: [true, false])
  func `L10 chains of 100,000 stages are dropped without exhausting the stack`(isLastKept: Bool) async {
    let live = LiveCount()
    let last = await onThread {
      let last = chain(live).last
      return isLastKept ? last : nil
    }
    #expect(live.value == 0)
    if isLastKept { #expect(last?.cancellationReason is AbandonedError) }
  }

  @Test func `L11 what needs the outcomes of several gets its own behind the handlers of the last, as values do`() {
    for isCombinedFirst in [true, false] {
      let sources = [ValueFuture<Int>(), ValueFuture<Int>()]
      let log = EventLog<[Bool]>()
      let combined = EventLog<CancelToken>()
      let combine = {
        for work in [ValueFuture.any(sources), ValueFuture.race(sources)] { combined.add(work.cancelToken) }
        combined.add(ValueFuture.allSettled(sources).cancelToken)
        // Tokens have no values: these are part of the tree.
        combined.add(Future.any(sources).cancelToken)
      }
      if isCombinedFirst { combine() }
      for source in sources { source.onCancel(on: .inline) { log.add(combined.events.map(\.isPending)) } }
      if !isCombinedFirst { combine() }
      for source in sources { source.cancel() }
      #expect(log.events == [[true, true, true, true], [true, true, true, false]])
      #expect(combined.events.map(\.isCancelled) == [true, true, false, true])
    }
  }

  @Test(arguments: [true, false])
  func `L11 a chain is cancelled as a whole before any handler starts, from whichever end`(fromFirst: Bool) {
    let source = ValueFuture<Int>()
    let log = EventLog<[Bool]>()
    let stages = EventLog<ValueFuture<Int>>()
    stages.add(source)
    for _ in 0..<10 { stages.add(stages.events[stages.events.count - 1].map { $0 }) }
    let joined = ValueFuture.all(stages.events)
    let chain = stages.events
    for stage in chain { stage.onCancel(on: .inline) { log.add(chain.map(\.isCancelled) + [joined.isCancelled]) } }
    if fromFirst { source.cancel() } else { joined.cancel() }
    #expect(log.events == Array(repeating: Array(repeating: true, count: 12), count: 11))
    stages.removeAll()
  }
}
