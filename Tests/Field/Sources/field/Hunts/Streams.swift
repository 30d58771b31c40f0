// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting
import Synchronization

extension Hunt {
  static let streams = [
    Hunt(
      name: "stream.producers",
      package: "standard library",
      type: "`AsyncStream`",
      property: "What two tasks yield arrives once each, and the stream ends",
      tool: "exploreTasks"
    ) {
      await explored("two producers") { scenario in
        let (stream, continuation) = AsyncStream<Int>.makeStream()
        async let first: Void = yieldAndRest(1, to: continuation)
        async let second: Void = yieldAndRest(2, to: continuation)
        let consumer = Task { await stream.reduce(into: []) { $0.append($1) } }
        _ = await (first, second)
        continuation.finish()
        let elements = await consumer.value
        scenario.check(elements.sorted() == [1, 2], "\(elements) arrived")
      }
    },
    Hunt(
      name: "stream.consumers",
      package: "standard library",
      type: "`AsyncStream`",
      property: "Of two consumers each element reaches one, and both end",
      tool: "exploreTasks"
    ) {
      await explored("two consumers") { scenario in
        let (stream, continuation) = AsyncStream<Int>.makeStream()
        async let first = collect(stream)
        async let second = collect(stream)
        await yieldAndRest(1, to: continuation)
        await yieldAndRest(2, to: continuation)
        continuation.finish()
        let elements = await first + second
        scenario.check(elements.sorted() == [1, 2], "\(elements) arrived")
      }
    },
    Hunt(
      name: "stream.cancel",
      package: "standard library",
      type: "`AsyncStream`",
      property: "Whether the consumer is cancelled or the stream finished, `onTermination` is called once",
      tool: "exploreTasks"
    ) {
      await explored("cancel against finish") { scenario in
        let (stream, continuation) = AsyncStream<Int>.makeStream()
        let calls = Variable(0)
        continuation.onTermination = { _ in calls.value += 1 }
        let consumer = Task { await collect(stream) }
        let canceller = Task { consumer.cancel() }
        await yieldAndRest(1, to: continuation)
        continuation.finish()
        await canceller.value
        _ = await consumer.value
        scenario.check(calls.value == 1, "it was called \(calls.value) times")
      }
    },
    Hunt(
      name: "stream.buffer",
      package: "standard library",
      type: "`AsyncStream.Continuation`",
      property: "What `yield` and `finish` answer fits a buffer of two",
      tool: "linearizabilityStress"
    ) {
      Catch(
        await linearizabilityStress(
          "AsyncStream's buffer",
          make: { AsyncStream<Int>.makeStream(bufferingPolicy: .bufferingOldest(2)) },
          model: [0, 0],
          operations: [
            .init("yield(1)", { answer($0.continuation.yield(1)) }, model: { yield(into: &$0) }),
            .init("yield(2)", { answer($0.continuation.yield(2)) }, model: { yield(into: &$0) }),
            .init("finish()", { $0.continuation.finish() }, model: { $0[1] = 1 }),
          ]
        )
      )
    },
    Hunt(
      name: "stream.late-handler",
      package: "standard library",
      type: "`AsyncStream.Continuation`",
      property: "A handler of termination that is set while the stream is finished is called",
      tool: "race",
      known: ["it was never called"],
      remark: "Not promised: the handler has to be set before. `finish()` is over, and the handler is dropped."
    ) {
      Catch(
        await race(
          "onTermination against finish",
          make: { TerminationSubject() },
          actors: { subject in subject.continuation.onTermination = { _ in subject.calls.add(1, ordering: .relaxed) } },
          { $0.continuation.finish() },
          outcome: { subject, _, _ in subject.calls.load(ordering: .relaxed) },
          expect: [.acceptable(1, "it was called"), .forbidden(0, "it was never called")]
        )
      )
    },
  ]
}

/// The counter is relaxed: it is read when both actors have returned.
private final class TerminationSubject: Sendable {
  let stream: AsyncStream<Int>
  let continuation: AsyncStream<Int>.Continuation
  let calls = Atomic(0)

  init() { (stream, continuation) = AsyncStream.makeStream() }
}

func yieldAndRest(_ element: Int, to continuation: AsyncStream<Int>.Continuation) async {
  continuation.yield(element)
  await Task.yield()
}

func collect<S: AsyncSequence & Sendable>(_ sequence: S) async -> [S.Element] where S.Element: Sendable {
  var elements: [S.Element] = []
  var iterator = sequence.makeAsyncIterator()
  while let element = try? await iterator.next() { elements.append(element) }
  return elements
}

private func answer(_ result: AsyncStream<Int>.Continuation.YieldResult) -> String {
  switch result {
  case .enqueued(let remaining): "room for \(remaining)"
  case .dropped: "dropped"
  case .terminated: "terminated"
  @unknown default: "unknown"
  }
}

/// The model: how many are in the buffer, and whether it is finished.
@Sendable private func yield(into state: inout [Int]) -> String {
  if state[1] == 1 { return "terminated" }
  guard state[0] < 2 else { return "dropped" }
  state[0] += 1
  return "room for \(2 - state[0])"
}
