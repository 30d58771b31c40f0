// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Synchronization

/// A fresh object, what each thread is to call, and what it was answered.
///
/// `subject` and `closingCalls` are written by the thread that sets the round up, while the actors sleep. A lane is
/// written by its own actor while the actors act, and by nobody else: that makes both classes `@unchecked Sendable`.
final class StressRound<Subject: Sendable, Operation: Sendable, Answer: Sendable>: @unchecked Sendable {
  typealias Call = History<Operation, Answer>.Call

  private var subject: Subject?
  private let lanes: [Lane]
  private var closingCalls: [Call] = []

  init(threads: Int) {
    lanes = (0..<threads).map { _ in Lane() }
  }

  final class Lane: @unchecked Sendable {
    var program: [Operation] = []
    var answers: [(answer: Answer, begun: UInt64, ended: UInt64)] = []
  }

  /// Prepares for a new run.
  func renew(_ subject: Subject, _ program: [[Operation]]) {
    self.subject = subject
    closingCalls = []
    for (lane, calls) in zip(lanes, program) {
      lane.program = calls
      lane.answers.removeAll(keepingCapacity: true)
      // More than are needed, so that two threads' answers don't lie beside each other.
      lane.answers.reserveCapacity(max(16, calls.count))
    }
  }

  /// Makes the calls of a thread.
  func act(_ thread: Int, _ progress: StressProgress, _ call: (Subject, Operation) -> Answer) {
    guard let subject else { return }
    let lane = lanes[thread]
    var last: UInt64 = 0
    for (index, operation) in lane.program.enumerated() {
      progress.begins(index, on: thread)
      let begun = HistoryClock.begin(after: last)
      let answer = call(subject, operation)
      last = HistoryClock.end()
      lane.answers.append((answer, begun, last))
    }
    progress.ends(on: thread)
  }

  /// Makes calls when all threads are done.
  func close(_ operations: [Operation], _ call: (Subject, Operation) -> Answer) {
    guard let subject else { return }
    var last = lanes.compactMap { $0.answers.last?.ended }.max() ?? 0
    for operation in operations {
      let begun = HistoryClock.begin(after: last)
      let answer = call(subject, operation)
      last = HistoryClock.end()
      closingCalls.append(Call(thread: lanes.count, operation, answer: answer, begun: begun, ended: last))
    }
  }

  /// What happened, thread by thread; to be asked while the actors sleep.
  var history: History<Operation, Answer> {
    let calls = lanes.enumerated().flatMap { thread, lane in
      zip(lane.program, lane.answers).map { operation, entry in
        Call(thread: thread, operation, answer: entry.answer, begun: entry.begun, ended: entry.ended)
      }
    }
    return History(calls + closingCalls)
  }
}

/// How far the threads of a stress have come, for whoever watches over them.
final class StressProgress: Sendable {
  private let lanes: [Lane]

  // Relaxed throughout: nothing is ordered by these.
  private final class Lane: Sendable {
    /// The number of the call that the thread is in, from 1; 0 between two rounds.
    let call = Atomic(0)
    let total = Atomic(0)
  }

  init(threads: Int) { lanes = (0..<threads).map { _ in Lane() } }

  func begins(_ call: Int, on thread: Int) {
    lanes[thread].call.store(call + 1, ordering: .relaxed)
    lanes[thread].total.store(lanes[thread].total.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
  }

  func ends(on thread: Int) { lanes[thread].call.store(0, ordering: .relaxed) }

  /// Changes with each call.
  var total: Int { lanes.reduce(0) { $0 &+ $1.total.load(ordering: .relaxed) } }

  /// For each thread the index of the call that it is in.
  var current: [Int?] {
    lanes.map { lane in
      let call = lane.call.load(ordering: .relaxed)
      return call == 0 ? nil : call - 1
    }
  }
}
