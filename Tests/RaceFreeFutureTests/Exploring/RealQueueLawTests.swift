// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if os(Linux)
  import Dispatch
  @testable import RaceFreeFuture
  import RaceFreeFutureTesting
  import TestSupport
  import Testing

  /// L4 and L5 on the real private queue, without a scheduler: each call of Dispatch is a step, in every order.
  ///
  /// What can be observed is what can be of the literal queue, explored in the same way.
  @Suite(.serialized) struct RealQueueLawTests {
    private typealias Program = [[ExploredCall]]

    @Test(
      arguments: [
        [[.complete], [.cancel]],
        [[.complete], [.perform(.nothing)]],
        [[.complete], [.perform(.completes)]],
        [[.cancel], [.perform(.completes)]],
        [[.perform(.completes)], [.perform(.cancels)]],
        [[.complete], [.perform(.adds)]],
        [[.complete], [.remove], [.perform(.nothing)]],
        [[.complete], [.cancel], [.remove]],
      ] as [Program]
    )
    private func `L4 and L5 what is observed on real queues is what is on the literal queue`(program: Program) async {
      let (ours, literal) = (await Self.observed(program) { Ours() }, await Self.observed(program) { Literal() })
      #expect(ours == literal)
    }

    @Test(
      arguments: [
        [[.complete], [.add(nil, .given)]],
        [[.complete], [.add(nil, .serial)]],
        [[.cancel], [.add(nil, .serial), .perform(.nothing)]],
      ] as [Program]
    )
    private func `L4 what decides in place is observed in fewer ways, all of them of the literal queue`(
      program: Program
    ) async {
      let (ours, literal) = (await Self.observed(program) { Ours() }, await Self.observed(program) { Literal() })
      #expect(!ours.isEmpty && ours.isStrictSubset(of: literal))
    }

    @Test(.withoutRecording) func `An order that fails shows the private queue`() async {
      let report = await explore("pending") { scenario in
        let (subject, logs) = (Ours(), Logs())
        scenario.thread("a") { subject.call(.complete, "a", logs) }
        scenario.thread("b") { subject.call(.perform(.nothing), "b", logs) }
        scenario.atEnd { logs.content.serial.contains("block b completed") ? "not pending" : nil }
      }
      #expect(report.failure?.hasPrefix("not pending") == true, "\(report)")
      #expect(report.description.contains("queue \"RaceFreeFuture\".async"), "\(report)")
    }

    /// Returns all that can be observed at the end, of which each place has its own order.
    private static func observed(_ program: Program, _ make: @escaping @Sendable () -> Subject) async -> Set<String> {
      let all = Locked<Set<String>>([])
      let report = await explore("\(program)") { scenario in
        let (subject, logs) = (make(), Logs())
        subject.call(.add(nil, .serial), "first", logs)
        if program.count == 2 { subject.call(.add(.completed, .given), "second", logs) }
        for (number, calls) in program.enumerated() {
          scenario.thread("\(number)") {
            for (index, call) in calls.enumerated() {
              // A lock of the library is inlined, and no step.
              Explored.switchPoint()
              subject.call(call, "\(number).\(index)", logs)
            }
          }
        }
        scenario.atEnd {
          all.withLock { _ = $0.insert("\(logs.content)") }
          return nil
        }
      }
      #expect(report.passed && report.isComplete && report.uncontrolled == nil, "\(report)")
      return all.withLock { $0 }
    }

    /// Used by one thread of an order at a time, which makes it `@unchecked Sendable`, as the next ones.
    private final class Logs: @unchecked Sendable {
      var content = ExploredLogs()
    }

    private class Subject: @unchecked Sendable {
      let given = DispatchQueue(label: "given")

      func call(_ call: ExploredCall, _ id: String, _ logs: Logs) {
        switch call {
        case .complete, .tryComplete: resolve(.completed)
        case .cancel, .tryCancel: resolve(.cancelled)
        case .add(let trigger, let place):
          let context: HandlerPlace =
            switch place {
            case .serial: .serialQueue
            case .inline: .inline
            case .given: given.handlerPlace
            }
          add(id, trigger, context) { logs.content[place].append("handler \(id)") }
        case .remove: logs.content.answers.append("\(id) \(removeFirst())")
        case .poll: break
        case .perform(let inside):
          perform { [self] in
            logs.content.serial.append("block \(id) \(state)")
            switch inside {
            case .nothing: break
            case .completes: resolve(.completed)
            case .cancels: resolve(.cancelled)
            case .adds: self.call(.add(nil, .serial), "\(id)+", logs)
            }
            Explored.switchPoint()
            logs.content.serial.append("end \(id) \(state)")
          }
        }
      }

      var state: String { "" }
      func resolve(_ outcome: Future.Outcome) {}
      func perform(_ body: @escaping @Sendable () -> Void) {}
      func add(
        _ id: String,
        _ trigger: Future.Outcome?,
        _ context: HandlerPlace,
        _ body: @escaping @Sendable () -> Void
      ) {}
      func removeFirst() -> Bool { false }
    }

    private final class Ours: Subject, @unchecked Sendable {
      private let future = Scheduling.schedule(by: NoScheduler()) { Future() }
      private var first: Registration?

      override var state: String { future.isPending ? "pending" : future.isCompleted ? "completed" : "cancelled" }
      override func resolve(_ outcome: Future.Outcome) {
        if outcome == .completed { future.complete() } else { future.cancel() }
      }
      override func perform(_ body: @escaping @Sendable () -> Void) { future.perform { body() } }
      override func add(
        _ id: String,
        _ trigger: Future.Outcome?,
        _ context: HandlerPlace,
        _ body: @escaping @Sendable () -> Void
      ) {
        let registration =
          trigger == nil ? future.onCleanUp(on: context, body) : future.onComplete(on: context, body)
        if id == "first" { first = registration }
      }
      override func removeFirst() -> Bool { first?.unregister() ?? false }
    }

    private final class Literal: Subject, @unchecked Sendable {
      private let future = LiteralFuture()
      private var first: LiteralFuture.Handler?

      override var state: String { future.outcome.map { "\($0)" } ?? "pending" }
      override func resolve(_ outcome: Future.Outcome) { future.resolve(outcome) }
      override func perform(_ body: @escaping @Sendable () -> Void) { future.perform(body) }
      override func add(
        _ id: String,
        _ trigger: Future.Outcome?,
        _ context: HandlerPlace,
        _ body: @escaping @Sendable () -> Void
      ) {
        let handler = future.add(trigger, context, body)
        if id == "first" { first = handler }
      }
      override func removeFirst() -> Bool { first.map(future.remove) ?? false }
    }

    /// One that doesn't schedule: futures of its scope use Dispatch.
    private final class NoScheduler: Scheduler {
      var isScheduling: Bool { false }
      var instant: ContinuousClock.Instant { .now }
      func enqueue(_ work: ScheduledWork) {}
      func runLine(of queue: ScheduledQueue) {}
      func start(_ timer: ScheduledTimer, _ fire: @escaping @Sendable () -> Void) {}
      func stop(_ timer: ScheduledTimer) {}
      func executor(forTaskOf name: String) -> any TaskExecutor { globalConcurrentExecutor }
      func beginWait(for future: ScheduledQueue) -> Int { 0 }
      func endWait(_ wait: Int) {}
    }
  }
#endif
