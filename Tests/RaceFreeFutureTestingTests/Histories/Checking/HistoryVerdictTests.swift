// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting
import TestSupport
import Testing

@Suite struct HistoryVerdictTests {
  // MARK: Against the definition

  @Test(arguments: SmallModel.all)
  func `the verdict is that of trying every order`(_ model: SmallModel) {
    var generator = SeededGenerator(seed: testSeed)
    var verdicts = (legal: 0, illegal: 0)
    for _ in 0..<max(400, iterations(400)) {
      let history = model.history(&generator)
      let order = everyOrder(of: history, model)
      switch history.verdict(against: model) {
      case .linearizable(let found):
        verdicts.legal += 1
        #expect(order != nil, "seed \(testSeed)\n\(history)")
        #expect(isLegal(found, history, model), "seed \(testSeed), order \(found)\n\(history)")
      case .notLinearizable(let longest):
        verdicts.illegal += 1
        #expect(order == nil, "seed \(testSeed), order \(order ?? [])\n\(history)")
        #expect(isPossible(longest, history, model), "seed \(testSeed), order \(longest)\n\(history)")
      case .undecided:
        Issue.record("a small history is undecided")
      }
    }
    // Histories that are nearly all of one kind would test little.
    #expect(verdicts.legal * 8 > verdicts.illegal && verdicts.illegal * 8 > verdicts.legal, "\(verdicts)")
  }

  // MARK: Time

  @Test func `a read after a write has to see it`() {
    let stale = History<RegisterOperation, Int>([
      .init(thread: 0, .write(1), answer: 0, begun: 0, ended: 10),
      .init(thread: 1, .read, answer: 0, begun: 11, ended: 20),
    ])
    #expect(stale.verdict(against: register) == .notLinearizable(longestOrder: [0]))
    let overlapping = History<RegisterOperation, Int>([
      stale.calls[0], .init(thread: 1, .read, answer: 0, begun: 10, ended: 20),
    ])
    #expect(overlapping.verdict(against: register) == .linearizable(order: [1, 0]))
  }

  @Test func `a call that never returned may have taken effect at any time, or never`() {
    let write = History<RegisterOperation, Int>.Call(thread: 0, .write(1), begun: 0)
    func history(_ reads: Int...) -> History<RegisterOperation, Int> {
      var time: UInt64 = 10
      return History(
        [write]
          + reads.map { value in
            time += 10
            return .init(thread: 1, .read, answer: value, begun: time, ended: time + 5)
          }
      )
    }
    #expect(history(0, 0).verdict(against: register) == .linearizable(order: [1, 2]))
    #expect(history(0, 1).verdict(against: register) == .linearizable(order: [1, 0, 2]))
    #expect(!history(1, 0).verdict(against: register).isLinearizable)
  }

  @Test func `calls of a thread that keep order don't overtake each other although they overlap`() {
    func history(keepsOrder: Bool) -> History<RegisterOperation, Int> {
      History([
        .init(thread: 0, .write(1), answer: 0, begun: 0, ended: 100, keepsOrder: keepsOrder),
        .init(thread: 0, .write(2), answer: 0, begun: 1, ended: 100, keepsOrder: keepsOrder),
        .init(thread: 1, .read, answer: 1, begun: 200, ended: 201),
      ])
    }
    #expect(history(keepsOrder: false).verdict(against: ForgetfulRegister()) == .linearizable(order: [1, 0, 2]))
    #expect(!history(keepsOrder: true).verdict(against: ForgetfulRegister()).isLinearizable)
  }

  @Test func `a read that never returned is placed if others mustn't overtake it`() {
    let history = History<RegisterOperation, Int>([
      .init(thread: 0, .read, begun: 0, keepsOrder: true),
      .init(thread: 0, .write(1), answer: 0, begun: 1, ended: 10, keepsOrder: true),
      .init(thread: 1, .read, begun: 2),
    ])
    #expect(history.verdict(against: plainRegister(isReadOnly: true)) == .linearizable(order: [0, 1]))
  }

  @Test func `an empty history is linearizable`() {
    #expect(History<RegisterOperation, Int>().verdict(against: register) == .linearizable(order: []))
  }

  // MARK: Parts

  @Test func `parts are checked for themselves, and make one order`() {
    let model = SequentialImplementation([0, 0], part: { (operation: PartOperation) in operation.part }) {
      (values: inout [Int], operation: PartOperation) -> Int in
      defer { values[operation.part] = operation.write ?? values[operation.part] }
      return values[operation.part]
    }
    var generator = SeededGenerator(seed: testSeed)
    var illegal = 0
    for _ in 0..<max(500, iterations(500)) {
      let history = History<PartOperation, Int>(
        randomTimes(calls: Int.random(in: 1...6, using: &generator), &generator).map { thread, begun, ended in
          .init(
            thread: thread,
            PartOperation(
              part: Int.random(in: 0...1, using: &generator),
              write: Bool.random(using: &generator) ? Int.random(in: 0...1, using: &generator) : nil
            ),
            answer: Int.random(in: 0...1, using: &generator),
            begun: begun,
            ended: ended ?? UInt64.max
          )
        }
      )
      let whole = SequentialImplementation([0, 0]) { (values: inout [Int], operation: PartOperation) -> Int in
        defer { values[operation.part] = operation.write ?? values[operation.part] }
        return values[operation.part]
      }
      let verdict = history.verdict(against: model)
      #expect(verdict.isLinearizable == history.verdict(against: whole).isLinearizable, "\(history)")
      if case .linearizable(let order) = verdict { #expect(isLegal(order, history, whole), "\(order)\n\(history)") }
      if !verdict.isLinearizable { illegal += 1 }
    }
    #expect(illegal > 0)
  }

  // MARK: Size

  // A run with a fraction of the usual iterations takes a part of them.
  private static let most = min(100_000, iterations(100_000))
  private static let few = min(3_000, iterations(3_000))

  @Test func `a history of ten thousand calls is no matter`() {
    var calls: [History<RegisterOperation, Int>.Call] = []
    for index in 0..<5_000 {
      let time = UInt64(index) * 10
      calls.append(.init(thread: 0, .write(index), answer: index == 0 ? 0 : index - 1, begun: time, ended: time + 12))
      calls.append(.init(thread: 1, .read, answer: index, begun: time + 5, ended: time + 8))
    }
    let history = History(calls)
    #expect(history.verdict(against: register, budget: 100_000).isLinearizable)
    var wrong = history
    wrong.calls[8_001] = .init(thread: 1, .read, answer: 77, begun: 40_005, ended: 40_008)
    #expect(!wrong.verdict(against: register, budget: 100_000).isLinearizable)
  }

  @Test(arguments: [(most, 4, false), (few, 4, true), (few, 8, true)])
  func `a register with a hundred thousand calls is decided`(calls: Int, threads: Int, isReadOnly: Bool) async {
    let history = registerHistory(calls: calls, threads: threads, seed: 7)
    let model = plainRegister(isReadOnly: isReadOnly)
    let verdict = await onThread { history.verdict(against: model) }
    guard case .linearizable(let order) = verdict else {
      Issue.record("the verdict is wrong")
      return
    }
    // A legal order: all calls once, none before one that had ended, and the answers are those of the model.
    #expect(Set(order).count == calls && order.count == calls)
    var value = 0
    var latest: UInt64 = 0
    for call in order.map({ history.calls[$0] }) {
      #expect((call.ended ?? .max) >= latest)
      latest = max(latest, call.begun)
      if case .write(let new) = call.operation { value = new }
      #expect(call.operation == .read ? call.answer == value : call.answer == 0)
    }
  }

  @Test(.withoutRecording, arguments: [false, true])
  func `one wrong answer in ten thousand is found, and shown in its place`(isReadOnly: Bool) async {
    let count = min(10_000, iterations(10_000))
    var history = registerHistory(calls: count, threads: 4, seed: 8)
    let wrong = history.calls[(count / 10 * 7)...].firstIndex { $0.operation == .read } ?? 0
    let call = history.calls[wrong]
    history.calls[wrong] = .init(
      thread: call.thread,
      .read,
      answer: -1,
      begun: call.begun,
      ended: call.ended ?? 0
    )
    let report = await checkLinearizability(
      "Register",
      of: history,
      against: plainRegister(isReadOnly: isReadOnly)
    )
    #expect(report.verdict == .failed && !report.linearizability.isLinearizable)
    #expect(report.counterexample?.calls == [history.calls[wrong]], "\(report)")
    #expect(report.description.contains("No order of these calls, made behind the first "), "\(report)")
    #expect(report.description.contains(", not -1"), "\(report)")
  }

  @Test(arguments: SmallModel.all)
  func `operations that only read may be said to, and change no verdict`(_ model: SmallModel) {
    var generator = SeededGenerator(seed: testSeed)
    for _ in 0..<max(400, iterations(400)) {
      let history = model.history(&generator)
      let verdict = history.verdict(against: ReadingModel(model: model))
      #expect(
        verdict.isLinearizable == (everyOrder(of: history, model) != nil),
        "seed \(testSeed)\n\(history)"
      )
    }
  }

  @Test func `beyond its budget the verdict is undecided`() {
    let calls = (1...14).map {
      History<RegisterOperation, Int>.Call(thread: $0, .write($0), answer: 0, begun: 0, ended: 100)
    }
    let read = History<RegisterOperation, Int>.Call(thread: 0, .read, answer: 99, begun: 200, ended: 201)
    let anyAnswer = ForgetfulRegister()
    #expect(History(calls + [read]).verdict(against: anyAnswer, budget: 1_000) == .undecided)
    #expect(
      History(Array(calls[..<4]) + [read]).verdict(against: anyAnswer, budget: 1_000)
        == .notLinearizable(longestOrder: [0, 1, 2, 3])
    )
  }
}

/// A small model that says which of its operations only read: taking does so in a register.
private struct ReadingModel: SequentialModel {
  let model: SmallModel

  var initialState: [Int] { model.initialState }

  func states(after operation: SmallModel.Operation, answering answer: Int?, in state: [Int]) -> [[Int]] {
    model.states(after: operation, answering: answer, in: state)
  }

  func isReadOnly(_ operation: SmallModel.Operation) -> Bool { model == .register && operation == .take }
}

/// A register whose writes answer 0.
private func plainRegister(
  isReadOnly: Bool
) -> SequentialImplementation<Int, RegisterOperation, Int> {
  SequentialImplementation(0, readOnly: { isReadOnly && $0 == .read }) { value, operation in
    guard case .write(let new) = operation else { return value }
    value = new
    return 0
  }
}

/// A legal history of a register: each call takes effect at some moment between its begin and its end.
private func registerHistory(calls: Int, threads: Int, seed: UInt64) -> History<RegisterOperation, Int> {
  var generator = SeededGenerator(seed: seed)
  var last = [UInt64](repeating: 0, count: threads)
  var drawn: [(thread: Int, operation: RegisterOperation, begun: UInt64, effect: UInt64, ended: UInt64)] = []
  for index in 0..<calls {
    let thread = index % threads
    let begun = last[thread] + UInt64.random(in: 1...20, using: &generator)
    let effect = begun + UInt64.random(in: 1...50, using: &generator)
    last[thread] = effect + UInt64.random(in: 1...50, using: &generator)
    let isRead = Bool.random(using: &generator)
    drawn.append((thread, isRead ? .read : .write(index), begun, effect, last[thread]))
  }
  var value = 0
  var answers = [Int](repeating: 0, count: calls)
  for index in drawn.indices.sorted(by: { (drawn[$0].effect, $0) < (drawn[$1].effect, $1) }) {
    if case .write(let new) = drawn[index].operation { value = new } else { answers[index] = value }
  }
  return History(
    zip(drawn, answers).map { call, answer in
      .init(thread: call.thread, call.operation, answer: answer, begun: call.begun, ended: call.ended)
    }
  )
}

private struct PartOperation: Hashable {
  let part: Int
  let write: Int?
}
