// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import AsyncAlgorithms
import RaceFreeFutureTesting

extension Hunt {
  private static let algorithms = "swift-async-algorithms"

  static let channels = [
    Hunt(
      name: "channel.pairs",
      package: algorithms,
      type: "`AsyncChannel`",
      property: "What two tasks send reaches one of two receivers once, and all end",
      tool: "exploreTasks"
    ) {
      await explored("two senders, two receivers") { scenario in
        let channel = AsyncChannel<Int>()
        async let first = collect(channel)
        async let second = collect(channel)
        async let one: Void = channel.send(1)
        async let two: Void = channel.send(2)
        _ = await (one, two)
        channel.finish()
        let elements = await first + second
        scenario.check(elements.sorted() == [1, 2], "\(elements) arrived")
      }
    },
    Hunt(
      name: "channel.cancelled-send",
      package: algorithms,
      type: "`AsyncChannel`",
      property: "A sender that is cancelled returns, and its element arrives once or not at all",
      tool: "exploreTasks"
    ) {
      await explored("cancel against send") { scenario in
        let channel = AsyncChannel<Int>()
        let sender = Task { await channel.send(1) }
        let canceller = Task { sender.cancel() }
        let receiver = Task { await collect(channel) }
        await sender.value
        await canceller.value
        await channel.send(2)
        channel.finish()
        let elements = await receiver.value
        scenario.check(elements == [2] || elements == [1, 2], "\(elements) arrived")
      }
    },
    Hunt(
      name: "channel.cancelled-receive",
      package: algorithms,
      type: "`AsyncChannel`",
      property: "A receiver that is cancelled takes nothing away from the next one",
      tool: "exploreTasks"
    ) {
      await explored("cancel against next") { scenario in
        let channel = AsyncChannel<Int>()
        let first = Task { await collect(channel) }
        let second = Task { await collect(channel) }
        let canceller = Task { first.cancel() }
        await channel.send(1)
        await channel.send(2)
        await canceller.value
        channel.finish()
        let elements = await first.value + second.value
        scenario.check(elements.sorted() == [1, 2], "\(elements) arrived")
      }
    },
    Hunt(
      name: "channel.finish",
      package: algorithms,
      type: "`AsyncChannel`",
      property: "A task that sends or waits when it is finished continues",
      tool: "exploreTasks"
    ) {
      await explored("finish against send and next") { scenario in
        let channel = AsyncChannel<Int>()
        let sender = Task { await channel.send(1) }
        let receiver = Task { await collect(channel) }
        let finisher = Task { channel.finish() }
        await finisher.value
        await sender.value
        let elements = await receiver.value
        scenario.check(elements == [] || elements == [1], "\(elements) arrived")
      }
    },
    Hunt(
      name: "throwing-channel.fail",
      package: algorithms,
      type: "`AsyncThrowingChannel`",
      property: "A failure reaches the receiver behind what was sent before, and lets senders go",
      tool: "exploreTasks"
    ) {
      struct Failure: Error {}
      return await explored("fail against send and next") { scenario in
        let channel = AsyncThrowingChannel<Int, any Error>()
        let sender = Task { await channel.send(1) }
        let receiver = Task { () -> String in
          var elements: [Int] = []
          do { for try await element in channel { elements.append(element) } } catch { return "\(elements) failed" }
          return "\(elements) ended"
        }
        let failer = Task { channel.fail(Failure()) }
        await failer.value
        await sender.value
        let result = await receiver.value
        scenario.check(result == "[] failed" || result == "[1] failed", "the receiver's result is \(result)")
      }
    },
  ]

  static let combinators = [
    Hunt(
      name: "merge",
      package: algorithms,
      type: "`merge`",
      property: "All elements of two streams arrive once, and it ends with both",
      tool: "exploreTasks"
    ) {
      await explored("merge", orders: 5_000) { scenario in
        let (first, second) = (AsyncStream<Int>.makeStream(), AsyncStream<Int>.makeStream())
        let collector = Task { await collect(merge(first.stream, second.stream)) }
        async let one: Void = produce(1, to: first.continuation)
        async let two: Void = produce(2, to: second.continuation)
        _ = await (one, two)
        let elements = await collector.value
        scenario.check(elements.sorted() == [1, 2], "\(elements) arrived")
      }
    },
    Hunt(
      name: "merge.cancel",
      package: algorithms,
      type: "`merge`",
      property: "Its consumer ends when it is cancelled, though no stream does",
      tool: "exploreTasks",
      known: ["waits for a real lock"],
      remark: """
        It holds its lock while it makes a continuation; the cancellation handler, which takes that, is called under another. \
        Known, for another consequence, as \
        [async-algorithms #430](https://github.com/apple/swift-async-algorithms/issues/430), open.
        """
    ) {
      await explored("merge, cancelled", orders: 5_000) { _ in
        let (first, second) = (AsyncStream<Int>.makeStream(), AsyncStream<Int>.makeStream())
        let collector = Task { await collect(merge(first.stream, second.stream)) }
        first.continuation.yield(1)
        await Task.yield()
        collector.cancel()
        _ = await collector.value
        withExtendedLifetime((first.continuation, second.continuation)) {}
      }
    },
    Hunt(
      name: "combine-latest",
      package: algorithms,
      type: "`combineLatest`",
      property: "The last pair has the last elements of both",
      tool: "exploreTasks"
    ) {
      await explored("combineLatest", orders: 5_000) { scenario in
        let (first, second) = (AsyncStream<Int>.makeStream(), AsyncStream<Int>.makeStream())
        let collector = Task { await collect(combineLatest(first.stream, second.stream)).map { [$0, $1] } }
        async let one: Void = produce(1, to: first.continuation)
        async let two: Void = produce(2, to: second.continuation)
        _ = await (one, two)
        let pairs = await collector.value
        scenario.check(pairs.last == [1, 2], "the pairs are \(pairs)")
      }
    },
    Hunt(
      name: "zip",
      package: algorithms,
      type: "`zip`",
      property: "Elements are paired in order, and it ends with the shorter stream",
      tool: "exploreTasks"
    ) {
      await explored("zip", orders: 5_000) { scenario in
        let (first, second) = (AsyncStream<Int>.makeStream(), AsyncStream<Int>.makeStream())
        let collector = Task { await collect(zip(first.stream, second.stream)).map { [$0, $1] } }
        async let one: Void = produce(1, to: first.continuation)
        async let two: Void = produce(2, to: second.continuation)
        _ = await (one, two)
        let pairs = await collector.value
        scenario.check(pairs == [[1, 2]], "the pairs are \(pairs)")
      }
    },
    Hunt(
      name: "debounce",
      package: algorithms,
      type: "`debounce`",
      property: "The last element arrives, whatever comes before it",
      tool: "exploreTasks"
    ) {
      await explored("debounce", orders: 5_000) { scenario in
        let (stream, continuation) = AsyncStream<Int>.makeStream()
        let collector = Task { await collect(stream.debounce(for: .seconds(1), clock: scenario.clock)) }
        await yieldAndRest(1, to: continuation)
        try await scenario.clock.sleep(for: .seconds(1))
        continuation.yield(2)
        continuation.finish()
        let elements = await collector.value
        scenario.check(elements.last == 2 && elements.count <= 2, "\(elements) arrived")
      }
    },
    Hunt(
      name: "buffer",
      package: algorithms,
      type: "`buffer(policy: .bounded)`",
      property: "Nothing is lost and the order is kept",
      tool: "exploreTasks"
    ) {
      await explored("buffer", orders: 5_000) { scenario in
        let channel = AsyncChannel<Int>()
        let collector = Task { await collect(channel.buffer(policy: .bounded(1))) }
        for number in 1...3 { await channel.send(number) }
        channel.finish()
        let elements = await collector.value
        scenario.check(elements == [1, 2, 3], "\(elements) arrived")
      }
    },
    Hunt(
      name: "latest.ends",
      package: algorithms,
      type: "`flatMapLatest`",
      property: "It ends with its base and the last sequence, and that one's element arrives",
      tool: "exploreTasks",
      known: ["\"body\" awaits a continuation"],
      remark: "A task is registered, outside of the lock, when it has already ended. "
        + "Known as [async-algorithms #437](https://github.com/apple/swift-async-algorithms/issues/437), open."
    ) {
      await explored("flatMapLatest", orders: 5_000) { scenario in
        let elements = await collect([1].async.flatMapLatest { [$0].async })
        scenario.check(elements == [1], "\(elements) arrived")
      }
    },
  ]
}

private func produce(_ element: Int, to continuation: AsyncStream<Int>.Continuation) async {
  await yieldAndRest(element, to: continuation)
  continuation.finish()
}
