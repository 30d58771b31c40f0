// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting

/// A history, and what was published about it.
struct Example: Sendable {
  let name: String
  let calls: Int
  let isLinearizable: Bool
  /// Who says so.
  let source: String
  let check: @Sendable () -> LinearizabilityVerdict

  init<Model: SequentialModel>(
    _ name: String,
    _ history: History<Model.Operation, Model.Answer>,
    of model: Model,
    isLinearizable: Bool,
    source: String,
    budget: Int = 50_000_000
  ) {
    (self.name, self.isLinearizable, self.source) = (name, isLinearizable, source)
    calls = history.calls.count
    check = { history.verdict(against: model, budget: budget) }
  }

  static let all: [Example] = lincheck + porcupine + published + generated
}

extension History {
  /// Makes a history from the beginnings and ends of calls, in sequence.
  ///
  /// - Parameter events: The number of a thread each, with what it begins, or with what its call answered.
  init(_ events: [(thread: Int, event: Event)]) {
    self.init()
    var open: [Int: (operation: Operation, begun: Int)] = [:]
    for (time, (thread, event)) in events.enumerated() {
      switch event {
      case .begins(let operation): open[thread] = (operation, time)
      case .answers(let answer):
        guard let call = open.removeValue(forKey: thread) else { continue }
        calls.append(
          Call(thread: thread, call.operation, answer: answer, begun: UInt64(call.begun), ended: UInt64(time))
        )
      case .isForgotten: open[thread] = nil
      }
    }
    for (thread, call) in open.sorted(by: { $0.value.begun < $1.value.begun }) {
      calls.append(Call(thread: thread, call.operation, begun: UInt64(call.begun)))
    }
  }

  enum Event {
    case begins(Operation)
    case answers(Answer)
    /// It had no effect, and its answer isn't known.
    case isForgotten
  }
}
