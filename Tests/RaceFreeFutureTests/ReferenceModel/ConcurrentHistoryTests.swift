// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFuture
import RaceFreeFutureTesting
import Synchronization
import TestSupport
import Testing

private typealias History = ConcurrentHistory<Future.Outcome>
private typealias CallRecorder = Recorder<History.Operation, History.Answer>

/// Random programs of several threads: each history must have a legal sequential explanation.
@Suite struct ConcurrentHistoryTests {
  @Test(arguments: 2...4)
  func `what several threads are told has an explanation by a serial queue`(threads: Int) async throws {
    let rounds = iterations(4_000)
    let recorders = EventLog<FutureRecorder>()
    let sequence = Atomic(0)
    await stress(
      rounds: rounds,
      make: {
        FutureRecorder(seed: testSeed &+ UInt64(sequence.add(1, ordering: .relaxed).newValue), threads: threads)
      },
      actors: (0..<threads).map { thread in { $0.act(thread) } },
      verify: { recorder in
        recorder.settle()
        if recorder.history.fault != nil { recorders.add(recorder) }
      }
    )
    for recorder in recorders.events.prefix(3) {
      let report = await checkLinearizability("Future", of: recorder.history.calls, against: History.serialQueue)
      Issue.record("seed \(recorder.seed): \(recorder.history.fault ?? "")\n\(report)\n\(recorder.history.handlers)")
    }
    #expect(recorders.events.isEmpty)
  }

  // MARK: The checker itself

  private func call(
    _ thread: Int,
    _ operation: History.Operation,
    _ answer: History.Answer,
    _ begun: UInt64,
    _ ended: UInt64 = 100
  ) -> History.Calls.Call {
    .init(
      thread: thread,
      operation,
      answer: answer,
      begun: begun,
      ended: ended,
      keepsOrder: operation.standsInLine
    )
  }

  @Test func `two winners have no explanation`() {
    let history = History(
      calls: .init([
        call(0, .tryResolve(.completed), .won(true), 1, 4),
        call(1, .tryResolve(.cancelled), .won(true), 2, 3),
      ])
    )
    #expect(history.fault != nil)
  }

  @Test func `a block of one thread that overtook its own cancel has none`() {
    let calls = [
      call(0, .resolve(.cancelled), .none, 1),
      call(0, .perform(deciding: nil), .saw(nil), 2, 3),
    ]
    #expect(History(calls: .init(calls)).fault != nil)
    let ofTwoThreads = [call(1, .resolve(.cancelled), .none, 1), calls[1]]
    #expect(History(calls: .init(ofTwoThreads)).fault == nil)
  }

  @Test func `an outcome that was seen and is gone has none`() {
    let history = History(
      calls: .init([
        call(0, .resolve(.completed), .none, 1),
        call(1, .poll, .saw(.completed), 2, 3),
        call(1, .poll, .saw(nil), 4, 5),
      ])
    )
    #expect(history.fault != nil)
  }

  @Test func `lost, doubled, wrong, removed and overtaking handlers are noticed`() {
    func history(_ handlers: [History.Handler]) -> History {
      History(
        calls: .init([call(0, .resolve(.completed), .none, 1, 2)]),
        handlers: handlers,
        outcome: .completed
      )
    }
    func handler(
      _ trigger: Future.Outcome?,
      removed: Bool = false,
      times: Int,
      begun: Int = 1,
      order: Int? = nil
    ) -> History.Handler {
      History.Handler(
        trigger: trigger,
        begun: begun,
        ended: begun + 1,
        wasRemoved: removed,
        timesRun: times,
        runOrder: order
      )
    }
    #expect(history([handler(.completed, times: 1)]).fault == nil)
    #expect(history([handler(.completed, times: 0)]).fault != nil)
    #expect(history([handler(nil, times: 2)]).fault != nil)
    #expect(history([handler(.cancelled, times: 1)]).fault != nil)
    #expect(history([handler(nil, removed: true, times: 1)]).fault != nil)
    #expect(history([handler(nil, times: 1, order: 2), handler(nil, times: 1, begun: 5, order: 1)]).fault != nil)
  }
}

/// Runs one random program and records what it was told.
///
/// `lock` guards the records.
private final class FutureRecorder: @unchecked Sendable {
  let seed: UInt64
  private let future = Future(label: "history")
  private let clock = Atomic(0)
  private let runs = Atomic(0)
  private let programs: [[Step]]
  private let lock = NSLock()
  private let calls: CallRecorder
  /// Those queued, whose effect is there when all is settled.
  private var inLine: [CallRecorder.OpenCall] = []
  private var recorded = History()
  private var handlerRecords: [HandlerRecord] = []

  enum Step {
    case add(Future.Outcome?, inline: Bool)
    case removeLast
    case resolve(Future.Outcome)
    case tryResolve(Future.Outcome)
    case poll
    case perform(Future.Outcome?)
    case performAndWait(Future.Outcome?)
  }

  private final class HandlerRecord: @unchecked Sendable {
    var trigger: Future.Outcome?
    var begun = 0
    var ended = 0
    var wasRemoved = false
    var runOrder: Int?
    let timesRun = Atomic(0)
    var registration: Registration?
  }

  init(seed: UInt64, threads: Int) {
    self.seed = seed
    calls = CallRecorder(threads: threads + 1)
    var generator = SeededGenerator(seed: seed)
    programs = (0..<threads).map { _ in
      (0..<Int.random(in: 1...4, using: &generator)).map { _ in Step.random(&generator) }
    }
  }

  var history: History { lock.withLock { recorded } }

  func act(_ thread: Int) {
    var own: [HandlerRecord] = []
    for step in programs[thread] {
      switch step {
      case .add(let trigger, let inline):
        own.append(add(trigger, inline: inline))
      case .removeLast:
        if let last = own.last, last.registration?.unregister() == true { last.wasRemoved = true }
      default:
        take(step, thread)
      }
    }
    let added = own
    lock.withLock { handlerRecords += added }
  }

  private func take(_ step: Step, _ thread: Int) {
    switch step {
    case .resolve(let outcome):
      let call = begin(.resolve(outcome), thread)
      if outcome == .completed { future.complete() } else { future.cancel() }
      lock.withLock { inLine.append(call) }
    case .tryResolve(let outcome):
      let call = begin(.tryResolve(outcome), thread)
      call.end(.won(outcome == .completed ? future.tryComplete() : future.tryCancel()))
    case .poll:
      let call = begin(.poll, thread)
      let seen: Future.Outcome? = future.isCompleted ? .completed : future.isCancelled ? .cancelled : nil
      // Two loads: only an answer that can't have changed between them is one.
      if seen != nil || future.isPending { call.end(.saw(seen)) }
    case .perform(let decision):
      let call = begin(.perform(deciding: decision), thread)
      future.perform { [self] in call.end(.saw(look(decision))) }
    case .performAndWait(let decision):
      let call = begin(.perform(deciding: decision), thread)
      call.end(.saw(future.performAndWait { look(decision) }))
    case .add, .removeLast:
      break
    }
  }

  private func begin(_ operation: History.Operation, _ thread: Int) -> CallRecorder.OpenCall {
    calls.begin(operation, on: thread, keepsOrder: operation.standsInLine)
  }

  private func look(_ decision: Future.Outcome?) -> Future.Outcome? {
    let saw: Future.Outcome? = future.isCompleted ? .completed : future.isCancelled ? .cancelled : nil
    if decision == .completed { future.complete() }
    if decision == .cancelled { future.cancel() }
    return saw
  }

  private func add(_ trigger: Future.Outcome?, inline: Bool) -> HandlerRecord {
    let record = HandlerRecord()
    record.trigger = trigger
    record.begun = tick()
    let body: @Sendable () -> Void = { [self] in
      record.timesRun.add(1, ordering: .relaxed)
      if !inline { record.runOrder = runs.add(1, ordering: .relaxed).newValue }
    }
    let context: HandlerPlace = inline ? .inline : .serialQueue
    record.registration =
      switch trigger {
      case .completed: future.onComplete(on: context, body)
      case .cancelled: future.onCancel(on: context, body)
      case nil: future.onCleanUp(on: context, body)
      }
    record.ended = tick()
    return record
  }

  /// Called when all threads have returned: waits for what is still on the private queue.
  func settle() {
    future.performAndWait {}
    future.performAndWait {}
    for call in lock.withLock({ inLine }) { call.end(.none) }
    let outcome: Future.Outcome? = future.isCompleted ? .completed : future.isCancelled ? .cancelled : nil
    calls.call(.poll, on: programs.count) { .saw(outcome) }
    lock.withLock {
      recorded.outcome = outcome
      recorded.calls = calls.history
      recorded.handlers = handlerRecords.map { record in
        History.Handler(
          trigger: record.trigger,
          begun: record.begun,
          ended: record.ended,
          wasRemoved: record.wasRemoved,
          timesRun: record.timesRun.load(ordering: .acquiring),
          runOrder: record.runOrder
        )
      }
    }
    // A future that stayed pending would keep its handlers, and they this.
    future.cancel()
    lock.withLock { handlerRecords = [] }
  }

  private func tick() -> Int { clock.add(1, ordering: .sequentiallyConsistent).newValue }
}

extension FutureRecorder.Step {
  fileprivate static func random(_ generator: inout SeededGenerator) -> Self {
    let outcome: Future.Outcome = Bool.random(using: &generator) ? .completed : .cancelled
    let maybe: Future.Outcome? = Int.random(in: 0..<3, using: &generator) == 0 ? outcome : nil
    return switch Int.random(in: 0..<12, using: &generator) {
    case 0..<3: .add(maybe, inline: Bool.random(using: &generator))
    case 3..<5: .removeLast
    case 5..<7: .resolve(outcome)
    case 7: .tryResolve(outcome)
    case 8: .poll
    case 9..<11: .perform(maybe)
    default: .performAndWait(maybe)
    }
  }
}
