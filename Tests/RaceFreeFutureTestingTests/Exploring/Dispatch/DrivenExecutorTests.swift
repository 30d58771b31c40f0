// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if os(Linux)
  import Dispatch
  import RaceFreeFutureTesting
  import TestSupport
  import Testing

  /// Actors whose executor is a serial queue.
  @Suite(.serialized) struct DrivenExecutorTests {
    private typealias Shared = DrivenCallsTests.Shared

    private final class QueueExecutor: SerialExecutor {
      let queue = DispatchQueue(label: "store")

      func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
      }

      func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
    }

    private actor Store {
      private let executor = QueueExecutor()
      private(set) var value = 0
      nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }
      nonisolated var queue: DispatchQueue { executor.queue }

      func add() { value += 1 }

      func addLater(_ other: Store? = nil) async {
        let before = value
        if let other { await other.add() } else { await Task.yield() }
        value = before + 1
      }
    }

    private actor Plain {
      func add(to store: Store) async { await store.add() }
    }

    @Test(.withoutRecording, arguments: [false, true])
    func `Calls of an actor on a queue are steps, in any order`(suspends: Bool) async {
      let report = await exploreTasks("a store") { scenario in
        let store = Store()
        async let one: Void = suspends ? store.addLater() : store.add()
        async let two: Void = suspends ? store.addLater() : store.add()
        _ = await (one, two)
        let value = await store.value
        scenario.check(value == 2, "lost")
      }
      #expect(report.verdict == (suspends ? .failed : .passed), "\(report)")
      #expect(report.uncontrolled == nil && report.isComplete == !suspends, "\(report)")
    }

    @Test func `Blocks of the queue and calls of the actor take turns`() async {
      let seen = Shared<Set<[Int]>>([])
      let report = await exploreTasks("turns") { scenario in
        let (store, log) = (Store(), Shared<[Int]>([]))
        async let one: Void = store.add()
        await withCheckedContinuation { continuation in
          store.queue.async {
            log.value.append(store.assumeIsolated { $0.value })
            continuation.resume()
          }
        }
        await one
        seen.value.insert(log.value)
        scenario.check(log.value.count == 1, "\(log.value)")
      }
      #expect(report.passed && report.uncontrolled == nil && report.isComplete, "\(report)")
      #expect(seen.value == [[0], [1]], "\(seen.value)")
    }

    @Test func `Actors of both kinds call each other`() async {
      let report = await exploreTasks("both", .exhaustive(maxOrders: 30)) { scenario in
        let (store, other, plain) = (Store(), Store(), Plain())
        async let one: Void = plain.add(to: store)
        async let two: Void = store.addLater(other)
        _ = await (one, two)
        let values = await (store.value, other.value)
        scenario.check(values.0 >= 1 && values.1 == 1, "\(values)")
      }
      #expect(report.passed && report.uncontrolled == nil, "\(report)")
    }

    private protocol Logging: Actor {
      var log: [Int] { get }
      func note(_ number: Int)
    }

    private actor OnQueue: Logging {
      private let executor = QueueExecutor()
      private(set) var log: [Int] = []
      nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }
      func note(_ number: Int) { log.append(number) }
    }

    private actor Ordinary: Logging {
      private(set) var log: [Int] = []
      func note(_ number: Int) { log.append(number) }
    }

    @Test func `An actor on a queue shows what an ordinary one shows`() async {
      @Sendable func seen(_ make: @escaping @Sendable () -> any Logging) async -> Set<[Int]> {
        let seen = Shared<Set<[Int]>>([])
        let report = await exploreTasks("logs", .exhaustive(maxOrders: 60)) { _ in
          let actor = make()
          // Between two calls of one actor the task doesn't leave it.
          async let one: Void = {
            await actor.note(1)
            await actor.note(2)
          }()
          async let two: Void = actor.note(3)
          _ = await (one, two)
          let log = await actor.log
          seen.value.insert(log)
        }
        #expect(report.passed && report.uncontrolled == nil, "\(report)")
        return seen.value
      }
      let (onQueue, ordinary) = await (seen { OnQueue() }, seen { Ordinary() })
      #expect(onQueue == ordinary && onQueue == [[1, 2, 3], [3, 1, 2]], "\(onQueue) \(ordinary)")
    }

    @Test func `Actors of explore call one on a queue`() async {
      let report = await explore("explore") { scenario in
        let (store, count) = (Store(), Shared(0))
        for name in ["a", "b"] {
          scenario.actor(name) { _ in
            await store.add()
            let value = await store.value
            count.value = max(count.value, value)
          }
        }
        scenario.atEnd { count.value == 2 ? nil : "\(count.value)" }
      }
      #expect(report.passed && report.uncontrolled == nil && report.isComplete, "\(report)")
    }

    /// An executor that notes its jobs on a queue, and runs them somewhere else.
    private final class ElsewhereExecutor: SerialExecutor {
      private let log = DispatchQueue(label: "log")
      static let elsewhere = DispatchQueue(label: "elsewhere")

      func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        log.async {}
        Self.elsewhere.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
      }
    }

    private actor Away {
      private let executor = ElsewhereExecutor()
      nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }
      func act() {}
    }

    @Test(.withoutRecording) func `An executor that uses a queue for something else is told of`() async {
      _ = ElsewhereExecutor.elsewhere
      let report = await exploreTasks("away", .exhaustive(maxOrders: 5)) { _ in
        let away = Away()
        Task { await away.act() }
      }
      #expect(report.verdict == .inconclusive && report.uncontrolled != nil, "\(report)")
    }

    @Test func `A task that prefers a queue is under control`() async {
      final class Preferred: TaskExecutor {
        let queue = DispatchQueue(label: "preferred")
        func enqueue(_ job: consuming ExecutorJob) {
          let job = UnownedJob(job)
          queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
      }
      let report = await exploreTasks("preferred") { scenario in
        let (store, preferred) = (Store(), Preferred())
        let task = Task(executorPreference: preferred) { await store.add() }
        await store.add()
        await task.value
        let value = await store.value
        scenario.check(value == 2, "\(value)")
      }
      #expect(report.passed && report.uncontrolled == nil && report.isComplete, "\(report)")
    }
  }
#endif
