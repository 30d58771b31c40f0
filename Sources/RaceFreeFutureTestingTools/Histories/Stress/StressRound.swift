// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// A fresh object, the calls of each thread, and their answers.
///
/// While the actors act, a lane is written only by its own actor. The rest is written by the thread that makes and
/// examines the rounds, while the actors sleep. That makes both classes `@unchecked Sendable`.
final class StressRound<Subject: Sendable, Operation: Sendable, Answer: Sendable>: @unchecked Sendable {
  typealias Call = History<Operation, Answer>.Call

  private let subject: Subject
  private let lanes: [Lane]
  private var closingCalls: [Call] = []

  private final class Lane: @unchecked Sendable {
    let program: [Operation]
    let numbers: [Int]
    /// The number of spins before each call.
    let delays: [Int]
    var answers: [(answer: Answer, begun: UInt64, ended: UInt64)] = []

    init(_ program: [Operation], _ numbers: [Int], _ delays: [Int]) {
      self.program = program
      self.numbers = numbers
      self.delays = delays
      // More than needed, so that two threads' answers don't share a cache line.
      answers.reserveCapacity(max(8, program.count))
    }
  }

  /// - Parameters:
  ///   - subject: The object.
  ///   - program: For each thread its calls.
  ///   - numbers: The same as places in a list of all operations.
  ///   - delays: The same as numbers of spins before each call: without them threads that do the same stay in step, and
  ///     no call ever meets another thread's gap.
  init(_ subject: Subject, _ program: [[Operation]], _ numbers: [[Int]], _ delays: [[Int]]) {
    self.subject = subject
    lanes = zip(program, zip(numbers, delays)).map { Lane($0, $1.0, $1.1) }
  }

  /// Draws the delays of a program: up to a power of two that is drawn for each history.
  ///
  /// Longer ones would keep most calls apart.
  static func delays(of program: [[Operation]], from generator: inout SeededGenerator) -> [[Int]] {
    let most = UInt64(1) << (generator.next() % 8)
    return program.map { $0.map { _ in Int(generator.next() % most) } }
  }

  /// Makes the calls of a thread.
  func act(_ thread: Int, _ progress: StressProgress, _ call: (Subject, Operation) -> Answer) {
    let lane = lanes[thread]
    var last: UInt64 = 0
    for (index, operation) in lane.program.enumerated() {
      progress.begins(index, operation: lane.numbers[index], on: thread)
      progress.spin(lane.delays[index], on: thread)
      let begun = HistoryClock.begin(after: last)
      let answer = call(subject, operation)
      last = HistoryClock.end()
      lane.answers.append((answer, begun, last))
    }
    progress.ends(on: thread)
  }

  /// Makes calls when all threads are done.
  func close(_ operations: [Operation], _ call: (Subject, Operation) -> Answer) {
    var last = lanes.compactMap { $0.answers.last?.ended }.max() ?? 0
    for operation in operations {
      let begun = HistoryClock.begin(after: last)
      let answer = call(subject, operation)
      last = HistoryClock.end()
      closingCalls.append(Call(thread: lanes.count, operation, answer: answer, begun: begun, ended: last))
    }
  }

  /// The history, thread by thread; to be read while the actors sleep.
  var history: History<Operation, Answer> {
    let calls = lanes.enumerated().flatMap { thread, lane in
      zip(lane.program, lane.answers).map { operation, entry in
        Call(thread: thread, operation, answer: entry.answer, begun: entry.begun, ended: entry.ended)
      }
    }
    return History(calls + closingCalls)
  }
}
