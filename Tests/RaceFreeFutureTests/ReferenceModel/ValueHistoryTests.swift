// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFuture
import RaceFreeFutureTesting
import Synchronization
import TestSupport
import Testing

/// How a value future ends.
private enum ValueEnd: Ending {
  case value(Int)
  case cancelled

  var outcome: Future.Outcome { self == .cancelled ? .cancelled : .completed }
}

private typealias History = ConcurrentHistory<ValueEnd>
private typealias CallRecorder = Recorder<History.Operation, History.Answer>

/// Random programs of several threads on a value future: each history must have a legal sequential explanation, and of
/// each value that was offered it is known where it went.
@Suite struct ValueHistoryTests {
  @Test(arguments: 1...4)
  func `what several threads are told about a value has an explanation by a serial queue`(threads: Int) async throws {
    let faults = EventLog<String>()
    let sequence = Atomic(0)
    let ends = EventLog<Future.Outcome?>()
    await stress(
      rounds: iterations(3_000),
      make: {
        ValueRecorder(seed: testSeed &+ UInt64(sequence.add(1, ordering: .relaxed).newValue), threads: threads)
      },
      actors: (0..<threads).map { thread in { $0.act(thread) } },
      verify: { recorder in
        if let fault = recorder.settle() { faults.add("seed \(recorder.seed): \(fault)\n\(recorder.history.calls)") }
        ends.add(recorder.history.outcome?.outcome)
      }
    )
    for fault in faults.events.prefix(3) { Issue.record("\(fault)") }
    #expect(Set(ends.events).isSuperset(of: [.completed, .cancelled]))
  }

  @Test func `the accounting finds a value that is lost and one that goes to onUndelivered twice`() {
    func fault(offered: [Int], refused: [Int], undelivered: [Int], received: Int?) -> String? {
      ValueRecorder.accountingFault(offered, refused: refused, undelivered: undelivered, received: received)
    }
    #expect(fault(offered: [1, 2, 3], refused: [2], undelivered: [3], received: 1) == nil)
    #expect(fault(offered: [1, 2], refused: [], undelivered: [], received: 1) != nil)
    #expect(fault(offered: [1, 2], refused: [2], undelivered: [2], received: 1) != nil)
    #expect(fault(offered: [1], refused: [], undelivered: [1], received: 1) != nil)
  }
}

/// Runs one random program and records what it was told.
///
/// `lock` guards the records; `future` belongs to whoever settles after all have acted.
private final class ValueRecorder: @unchecked Sendable {
  let seed: UInt64
  private var future: ValueFuture<Int>?
  private let undelivered = EventLog<Int>()
  private let received = EventLog<Int>()
  private let programs: [[Step]]
  private let lock = NSLock()
  private let calls: CallRecorder
  /// Those queued, whose effect is there when all is settled.
  private var inLine: [CallRecorder.OpenCall] = []
  private var recorded = History()
  private var offered: [Int] = []
  private var refused: [Int] = []

  enum Step {
    case complete(Int)
    case tryComplete(Int)
    case cancel
    case tryCancel
    case poll
    case perform(cancels: Bool)
    case performCompleting(Int)
    case receive
  }

  init(seed: UInt64, threads: Int) {
    self.seed = seed
    calls = CallRecorder(threads: threads + 1)
    var generator = SeededGenerator(seed: seed)
    var value = 0
    programs = (0..<threads).map { _ in
      (0..<Int.random(in: 1...4, using: &generator)).map { _ in
        value += 1
        return Step.random(&generator, value)
      }
    }
    future = ValueFuture(label: "history", onUndelivered: { [undelivered] in undelivered.add($0) })
  }

  var history: History { lock.withLock { recorded } }

  func act(_ thread: Int) {
    guard let future else { return }
    for step in programs[thread] { take(step, thread, future) }
  }

  private func take(_ step: Step, _ thread: Int, _ future: ValueFuture<Int>) {
    switch step {
    case .complete(let value):
      offer(value)
      let call = begin(.resolve(.value(value)), thread)
      future.complete(with: value)
      lock.withLock { inLine.append(call) }
    case .tryComplete(let value):
      offer(value)
      let call = begin(.tryResolve(.value(value)), thread)
      let won = future.tryComplete(with: value)
      call.end(.won(won))
      if !won { refuse(value) }
    case .cancel:
      let call = begin(.resolve(.cancelled), thread)
      future.cancel()
      lock.withLock { inLine.append(call) }
    case .tryCancel:
      begin(.tryResolve(.cancelled), thread).end(.won(future.tryCancel()))
    case .poll:
      // A result that is seen is a value; `isCancelled` is read after it, so nil and false was "pending" at first.
      let call = begin(.poll, thread)
      let seen = Self.end(future)
      if seen != nil || future.isPending { call.end(.saw(seen)) }
    case .perform(let cancels):
      let call = begin(.perform(deciding: cancels ? .cancelled : nil), thread)
      future.perform {
        let saw = Self.end(future)
        if cancels { future.cancel() }
        call.end(.saw(saw))
      }
    case .performCompleting(let value):
      offer(value)
      let call = begin(.perform(deciding: .value(value)), thread)
      let (saw, won) = future.performAndWait {
        (Self.end(future), future.tryComplete(with: value))
      }
      call.end(.saw(saw))
      if !won { refuse(value) }
    case .receive:
      future.onValue(on: .inline) { [received] in received.add($0) }
    }
  }

  private static func end(_ future: ValueFuture<Int>) -> ValueEnd? {
    if case .success(let value) = future.result { return .value(value) }
    return future.isCancelled ? .cancelled : nil
  }

  /// Called when all threads have returned: waits for what is still on the private queue, drops the future, and says
  /// what is wrong.
  func settle() -> String? {
    future?.performAndWait {}
    future?.performAndWait {}
    let end = future.flatMap(Self.end)
    // `end` has received the value, if there is one.
    future = nil
    for call in lock.withLock({ inLine }) { call.end(.none) }
    calls.call(.poll, on: programs.count) { .saw(end) }
    return lock.withLock {
      recorded.outcome = end
      recorded.calls = calls.history
      var value: Int?
      if case .value(let brought) = end { value = brought }
      for other in received.events where other != value { return "a handler got \(other) instead of \(end as Any)" }
      let accounting = Self.accountingFault(
        offered,
        refused: refused,
        undelivered: undelivered.events,
        received: value
      )
      return recorded.fault ?? accounting
    }
  }

  /// Each value that was offered is in one of the three places.
  static func accountingFault(_ offered: [Int], refused: [Int], undelivered: [Int], received: Int?) -> String? {
    let found = refused + undelivered + (received.map { [$0] } ?? [])
    return found.sorted() == offered.sorted()
      ? nil
      : "offered \(offered), refused \(refused), undelivered \(undelivered), received \(received as Any)"
  }

  private func offer(_ value: Int) { lock.withLock { offered.append(value) } }

  private func refuse(_ value: Int) { lock.withLock { refused.append(value) } }

  private func begin(_ operation: History.Operation, _ thread: Int) -> CallRecorder.OpenCall {
    calls.begin(operation, on: thread, keepsOrder: operation.standsInLine)
  }
}

extension ValueRecorder.Step {
  fileprivate static func random(_ generator: inout SeededGenerator, _ value: Int) -> Self {
    switch Int.random(in: 0..<12, using: &generator) {
    case 0..<2: .complete(value)
    case 2..<4: .tryComplete(value)
    case 4: .cancel
    case 5: .tryCancel
    case 6..<8: .poll
    case 8: .perform(cancels: Bool.random(using: &generator))
    case 9: .performCompleting(value)
    default: .receive
    }
  }
}
