// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The search of Wing and Gong for a legal order of calls, with Lowe's memory of what was tried.
///
/// Goes through the list of begins and ends from the front. Each call that begins before the first end may be the next
/// of the order; if the model allows its answer, and if the same calls with the same state were not tried before, it is
/// lifted out of the list, and the search starts at the front again. At the first end it goes back to its last choice.
/// The order is complete when all calls that returned are in it.
///
/// The stack is an array: histories may be long.
struct LinearizabilitySearch<Model: SequentialModel> {
  typealias Call = History<Model.Operation, Model.Answer>.Call

  /// Calls with a state that was tried.
  private struct Point: Hashable {
    let returned: PlacedCalls.Key
    let pending: PlacedCalls.Key
    let state: Model.State
  }

  /// A call in the order, the state before it, and the states after it that are still to be tried.
  private struct Choice {
    let call: Int
    let before: Model.State
    var others: ArraySlice<Model.State>
  }

  private let model: Model
  private let calls: [Call]
  /// The earlier call of the same thread that has to come first although it may overlap.
  private let predecessors: [Int?]
  private let budget: Int
  private(set) var steps = 0

  init(model: Model, calls: [Call], budget: Int) {
    self.model = model
    self.calls = calls
    self.budget = budget
    predecessors = Call.predecessors(in: calls)
  }

  mutating func run() -> LinearizabilityVerdict {
    var list = CallList(begun: calls.map(\.begun), ended: calls.map(\.ended))
    var placed = Placement(calls)
    var state = model.initialState
    var tried: Set<Point> = []
    var choices: [Choice] = []
    var longest: [Int] = []
    var entry = list.first

    /// Takes the first of some states that wasn't tried with these calls.
    func advance(_ call: Int, from before: Model.State, _ states: ArraySlice<Model.State>) -> Bool {
      placed.insert(call)
      var others = states
      while let next = others.popFirst() {
        let point = Point(returned: placed.returned.key, pending: placed.pending.key, state: next)
        guard tried.insert(point).inserted else { continue }
        choices.append(Choice(call: call, before: before, others: others))
        list.lift(call)
        state = next
        return true
      }
      placed.remove(call)
      return false
    }

    while placed.missing > 0 {
      switch entry {
      case .begin(let call):
        entry = list.entry(after: call)
        if let predecessor = predecessors[call], !placed.contains(predecessor) { continue }
        if steps >= budget { return .undecided }
        steps += 1
        let states = model.states(after: calls[call].operation, answering: calls[call].answer, in: state)
        if advance(call, from: state, states[...]) { entry = list.first }
      case .end, .nothing:
        if choices.count > longest.count { longest = choices.map(\.call) }
        guard let last = choices.popLast() else { return .notLinearizable(longestOrder: longest) }
        list.putBack(last.call)
        placed.remove(last.call)
        state = last.before
        let isElsewhere = advance(last.call, from: last.before, last.others)
        entry = isElsewhere ? list.first : list.entry(after: last.call)
      }
    }
    return .linearizable(order: choices.map(\.call))
  }
}

/// Which calls are placed: those that returned, all of which have to be, apart from those that never did.
private struct Placement {
  private(set) var returned: PlacedCalls
  private(set) var pending: PlacedCalls
  private(set) var missing: Int
  private let hasReturned: [Bool]
  /// The number of a call among those of its kind, by the time of the begin.
  private let numbers: [Int]

  init<Operation, Answer>(_ calls: [History<Operation, Answer>.Call]) {
    hasReturned = calls.map { $0.ended != nil }
    var numbers = Array(repeating: 0, count: calls.count)
    var counts = (returned: 0, pending: 0)
    for call in calls.indices.sorted(by: { (calls[$0].begun, $0) < (calls[$1].begun, $1) }) {
      if hasReturned[call] {
        numbers[call] = counts.returned
        counts.returned += 1
      } else {
        numbers[call] = counts.pending
        counts.pending += 1
      }
    }
    self.numbers = numbers
    returned = PlacedCalls(count: counts.returned)
    pending = PlacedCalls(count: counts.pending)
    missing = counts.returned
  }

  func contains(_ call: Int) -> Bool {
    hasReturned[call] ? returned.contains(numbers[call]) : pending.contains(numbers[call])
  }

  mutating func insert(_ call: Int) {
    if hasReturned[call] {
      returned.insert(numbers[call])
      missing -= 1
    } else {
      pending.insert(numbers[call])
    }
  }

  mutating func remove(_ call: Int) {
    if hasReturned[call] {
      returned.remove(numbers[call])
      missing += 1
    } else {
      pending.remove(numbers[call])
    }
  }
}
