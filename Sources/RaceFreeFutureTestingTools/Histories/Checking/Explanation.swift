// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// Explains in words that no order of a few calls explains their answers: for each order as far as possible, the
/// answers that would have to come next.
struct Explanation<Model: SequentialModel> {
  private let model: Model
  private let starts: [Model.State]
  private let calls: [History<Model.Operation, Model.Answer>.Call]
  private let predecessors: [Int?]
  private let wording: Wording
  /// The calls in words; with the thread if there are several of the same operation.
  private let names: [String]
  private var deadEnds: [String] = []
  private var tried: Set<Point> = []

  private struct Point: Hashable {
    let placed: Set<Int>
    let state: Model.State
  }

  /// The maximum number of lines: more would not be read.
  private let most = 6
  private var more = 0

  /// - Parameters:
  ///   - history: The calls.
  ///   - model: The model of the object.
  ///   - starts: The possible states before the calls; empty: the object was new.
  ///   - closing: The thread number of calls that were made when all threads had ended.
  ///   - wording: The characters.
  init(
    _ history: History<Model.Operation, Model.Answer>,
    model: Model,
    starts: [Model.State] = [],
    closing: Int? = nil,
    wording: Wording
  ) {
    self.model = model
    self.starts = starts
    self.wording = wording
    let calls = history.calls
    self.calls = calls
    let operations = calls.map { wording.text($0.operation) }
    names = calls.indices.map { index in
      let thread = calls[index].thread == closing ? "the last" : "T\(calls[index].thread)'s"
      let isOnly = operations.count { $0 == operations[index] } == 1
      return isOnly ? operations[index] : "\(thread) \(operations[index])"
    }
    predecessors = History.Call.predecessors(in: calls)
  }

  /// Returns one line for each order that goes as far as possible.
  ///
  /// - Parameter longest: The order to explain if the calls are too many to explain all of them.
  /// - Returns: At most seven lines.
  mutating func lines(longest: [Int]) -> [String] {
    if calls.count <= 10 {
      for start in starts.isEmpty ? [model.initialState] : starts { walk([], from: start) }
    } else if let state = state(after: longest) {
      explain(longest, state)
    }
    return deadEnds + (more > 0 ? ["and so on: \(more) more"] : [])
  }

  private mutating func walk(_ order: [Int], from state: Model.State) {
    // At most ten levels deep.
    guard tried.insert(Point(placed: Set(order), state: state)).inserted else { return }
    var isDeadEnd = true
    for next in candidates(after: order) {
      let call = calls[next]
      for successor in model.states(after: call.operation, answering: call.answer, in: state) {
        // A call that never returned needs no explanation: by itself it doesn't prevent the end of an order.
        if call.ended != nil { isDeadEnd = false }
        walk(order + [next], from: successor)
      }
    }
    if isDeadEnd { explain(order, state) }
  }

  private mutating func explain(_ order: [Int], _ state: Model.State) {
    guard deadEnds.count < most else { return more += 1 }
    let blocked = candidates(after: order).filter { calls[$0].ended != nil }
    let demands = blocked.prefix(3).map { demand($0, in: state) }.joined(separator: ", and ")
    let done = order.suffix(2).map { wording.call(names[$0], calls[$0].answer) }
    let start = order.count > done.count ? "\(wording.ellipsis), " : ""
    let first = starts.isEmpty ? "at first" : "from \(wording.text(state)),"
    let line = order.isEmpty ? "\(first) \(demands)" : "once \(start)\(done.joined(separator: ", then ")): \(demands)"
    // An order may reach the same end from several states.
    if !deadEnds.contains(line) { deadEnds.append(line) }
  }

  /// Returns the answer that a call would have to give in a state.
  private func demand(_ index: Int, in state: Model.State) -> String {
    let (name, call) = (names[index], calls[index])
    let given = call.answer.map { wording.text($0) } ?? ""
    let legal = model.answers(to: call.operation, in: state).map { wording.text($0) }
    if legal.isEmpty || legal.contains(given) {
      return given.isEmpty ? "\(name) can't come next" : "\(name) can't return \(given)"
    }
    return "\(name) must return \(legal.joined(separator: " or ")), not \(given)"
  }

  /// Returns the calls that may come next, by their times.
  private func candidates(after order: [Int]) -> [Int] {
    let open = calls.indices.filter { !order.contains($0) }
    return open.filter { index in
      open.allSatisfy { !calls[$0].precedes(calls[index]) } && (predecessors[index].map(order.contains) ?? true)
    }
  }

  private func state(after order: [Int]) -> Model.State? {
    var states = Set(starts.isEmpty ? [model.initialState] : starts)
    for index in order {
      let call = calls[index]
      states = Set(states.flatMap { model.states(after: call.operation, answering: call.answer, in: $0) })
    }
    return states.first
  }
}
