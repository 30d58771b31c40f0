// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import DequeModule
import NIOCore
import NIOPosix
import RaceFreeFutureTesting
import Synchronization

extension Hunt {
  private static let version = "swift-nio"

  static let nio = [
    Hunt(
      name: "nio.promise",
      package: version,
      type: "`EventLoopPromise`",
      property: "A callback that is added while the promise is kept runs once",
      tool: "race"
    ) {
      Catch(
        await race(
          "whenSuccess against succeed",
          .init(for: .seconds(10)),
          make: { PromiseSubject() },
          actors: { subject in
            subject.promise.futureResult.whenSuccess { subject.runs.add($0, ordering: .relaxed) }
          },
          { $0.promise.succeed(1) },
          outcome: { subject, _, _ in
            subject.settle()
            return subject.runs.load(ordering: .relaxed)
          },
          expect: [.acceptable(1), .forbidden(0, "it never ran"), .forbidden(2, "it ran twice")]
        )
      )
    },
    Hunt(
      name: "nio.scheduled",
      package: version,
      type: "`Scheduled`",
      property: "A task that is cancelled when it is due either runs or fails, not both",
      tool: "race"
    ) {
      Catch(
        await race(
          "cancel against the deadline",
          .init(for: .seconds(10)),
          make: { ScheduledSubject() },
          actors: { $0.scheduled.cancel() },
          { _ in },
          outcome: { subject, _, _ in
            let result = Result { try subject.scheduled.futureResult.wait() }
            let hasRun = subject.runs.value == 1
            switch result {
            case .success: return hasRun ? "ran" : "succeeded without running"
            case .failure: return hasRun ? "ran and failed" : "cancelled"
            }
          },
          expect: [.acceptable("ran"), .acceptable("cancelled")]
        )
      )
    },
    Hunt(
      name: "nio.and",
      package: version,
      type: "`EventLoopFuture.and`",
      property: "Futures of two event loops that end at once make one pair",
      tool: "race"
    ) {
      Catch(
        await race(
          "two promises",
          .init(for: .seconds(10)),
          make: { PairSubject() },
          actors: { $0.first.succeed(1) },
          { $0.second.succeed(2) },
          outcome: { subject, _, _ in (try? subject.pair.map { [$0, $1] }.wait()) ?? [] },
          expect: [.acceptable([1, 2])]
        )
      )
    },
    Hunt(
      name: "nio.thread-pool",
      package: version,
      type: "`NIOThreadPool`",
      property: "Work that is submitted during a shutdown is told once, active or cancelled",
      tool: "race"
    ) {
      Catch(
        await race(
          "submit against shutdown",
          .init(for: .seconds(10)),
          make: { PoolSubject() },
          actors: { subject in subject.pool.submit { _ in subject.calls.add(1, ordering: .relaxed) } },
          { try? $0.pool.syncShutdownGracefully() },
          outcome: { subject, _, _ in subject.calls.load(ordering: .relaxed) },
          expect: [.acceptable(1), .forbidden(0, "it was never told"), .forbidden(2, "it was told twice")]
        )
      )
    },
  ]

  static let nioStreams = [
    Hunt(
      name: "nio.producer",
      package: version,
      type: "`NIOAsyncSequenceProducer`",
      property: "All that is yielded arrives in order, and the delegate is told of the end once",
      tool: "exploreTasks"
    ) {
      await explored("yield, finish and next") { scenario in
        let delegate = ProducerDelegate()
        let new = NIOAsyncSequenceProducer<Int, Watermark, ProducerDelegate>.makeSequence(
          backPressureStrategy: Watermark(lowWatermark: 1, highWatermark: 2),
          finishOnDeinit: false,
          delegate: delegate
        )
        let (source, sequence) = (new.source, new.sequence)
        let consumer = Task { await collect(sequence) }
        for number in 1...3 {
          _ = source.yield(number)
          await Task.yield()
        }
        source.finish()
        let elements = await consumer.value
        scenario.check(elements == [1, 2, 3], "\(elements) arrived")
        scenario.check(delegate.ends.value == 1, "the delegate was told \(delegate.ends.value) times")
      }
    },
    Hunt(
      name: "nio.producer-cancel",
      package: version,
      type: "`NIOAsyncSequenceProducer`",
      property: "Cancelled or finished, the consumer ends, and the delegate is told once",
      tool: "exploreTasks",
      known: ["told 0 times"],
      remark: """
        Nobody is told if the consumer was cancelled before the first element, though that is guaranteed. No report found. \
        `upstream producer-untold` shows it without a tool.
        """
    ) {
      await explored("cancel against finish") { scenario in
        let delegate = ProducerDelegate()
        let new = NIOAsyncSequenceProducer<Int, Watermark, ProducerDelegate>.makeSequence(
          backPressureStrategy: Watermark(lowWatermark: 1, highWatermark: 2),
          finishOnDeinit: false,
          delegate: delegate
        )
        let (source, sequence) = (new.source, new.sequence)
        let consumer = Task { await collect(sequence) }
        let canceller = Task { consumer.cancel() }
        _ = source.yield(1)
        await Task.yield()
        source.finish()
        await canceller.value
        _ = await consumer.value
        scenario.check(delegate.ends.value == 1, "the delegate was told \(delegate.ends.value) times")
      }
    },
    Hunt(
      name: "nio.writer",
      package: version,
      type: "`NIOAsyncWriter`",
      property: "What is written while it becomes writable reaches the sink once, and its end follows",
      tool: "exploreTasks"
    ) {
      await explored("yield against setWritability and finish") { scenario in
        let delegate = SinkDelegate()
        let new = NIOAsyncWriter<Int, SinkDelegate>.makeWriter(
          isWritable: false,
          finishOnDeinit: false,
          delegate: delegate
        )
        let (writer, sink) = (new.writer, new.sink)
        async let first: Void = writer.yield(1)
        async let second: Void = writer.yield(2)
        let switcher = Task { sink.setWritability(to: true) }
        _ = try await (first, second)
        await switcher.value
        writer.finish()
        let got = delegate.got.value
        scenario.check(got.sorted() == [0, 1, 2] && got.last == 0, "the sink was told \(got)")
      }
    },
  ]
}

private typealias Watermark = NIOAsyncSequenceProducerBackPressureStrategies.HighLowWatermark

// The counters of all subjects are relaxed: they are read behind a wait for whatever counts.

private final class PromiseSubject: Sendable {
  let promise = MultiThreadedEventLoopGroup.singleton.next().makePromise(of: Int.self)
  let runs = Atomic(0)

  /// Whatever the loop has been given by now is done.
  func settle() { try? promise.futureResult.eventLoop.submit {}.wait() }
}

private final class ScheduledSubject: Sendable {
  let runs: Runs
  let scheduled: Scheduled<Void>

  final class Runs: Sendable {
    private let count = Atomic(0)
    func add() { count.add(1, ordering: .relaxed) }
    var value: Int { count.load(ordering: .relaxed) }
  }

  init() {
    let runs = Runs()
    self.runs = runs
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    scheduled = loop.scheduleTask(in: .microseconds(.random(in: 0...60))) { runs.add() }
  }
}

private final class PairSubject: Sendable {
  let first = MultiThreadedEventLoopGroup.singleton.next().makePromise(of: Int.self)
  let second = MultiThreadedEventLoopGroup.singleton.next().makePromise(of: Int.self)
  let pair: EventLoopFuture<(Int, Int)>

  init() { pair = first.futureResult.and(second.futureResult) }
}

private final class PoolSubject: Sendable {
  let pool = NIOThreadPool(numberOfThreads: 1)
  let calls = Atomic(0)

  init() { pool.start() }
}

private final class ProducerDelegate: NIOAsyncSequenceProducerDelegate {
  let ends = Variable(0)
  func produceMore() {}
  func didTerminate() { ends.value += 1 }
}

/// What the sink is told; 0 is the end.
private final class SinkDelegate: NIOAsyncWriterSinkDelegate {
  let got = Variable<[Int]>([])
  func didYield(contentsOf sequence: Deque<Int>) { got.value += Array(sequence) }
  func didTerminate(error: (any Error)?) { got.value.append(0) }
}
