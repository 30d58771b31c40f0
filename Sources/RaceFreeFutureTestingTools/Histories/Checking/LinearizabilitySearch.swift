// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The search of Wing and Gong for a legal order of calls, with Lowe's cache of visited states.
///
/// Goes through the list of begins and ends from the front. Each call that begins before the first end may be the next
/// of the order; if the model allows its answer, and if the same calls with the same state were not tried before, it is
/// removed from the list, and the search starts at the front again. When no call is left that may be next, it goes back
/// to its last choice. The order is complete when all calls that returned are in it.
///
/// The order of attempts determines the time until a legal order is found. Calls that leave the state unchanged come
/// first, because they don't obstruct others. Then comes the call that ends first, because no later call can be placed
/// before it; if it can't be next, the calls that make it possible; and then all the others, by their ends. A call that
/// never changes a state needn't be tried at a later place when it has been tried at an earlier one: at any position in
/// a legal order, it may be moved to the front.
///
/// The stack is an array: histories may be long. Each step takes constant time.
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
    let candidate: Candidate
    let before: Model.State
    var others: ArraySlice<Model.State>
  }

  /// A call that may be next.
  private struct Candidate {
    let call: Int
    let reason: Reason
  }

  /// The reason to try a call, in the order of precedence.
  private enum Reason {
    /// It leaves the state unchanged.
    case quiet
    /// It makes the call possible that ends first.
    case helpful
    /// It may be next.
    case any
  }

  private let model: Model
  private let calls: [Call]
  /// The earlier call of the same thread that has to come first although it may overlap.
  private let predecessors: [Int?]
  private let isReadOnly: [Bool]
  private let budget: Int
  private var starts: [Model.State]
  /// The ranges of the number of placed calls in which states are collected.
  private let collected: [ClosedRange<Int>]

  private(set) var steps = 0
  /// The latest end that an order had to stop at: with the calls until then there is no order either, if there is none.
  private(set) var reached: UInt64 = 0
  /// The states that were collected, for each of the ranges.
  private(set) var states: [Set<Model.State>]

  private var list: CallList
  private var placed: Placement
  private var state: Model.State
  private var tried: Set<Point> = []
  private var choices: [Choice] = []
  private var longest: [Int] = []
  /// The number of calls that the longest order and the choices have in common at the beginning; only the rest has to
  /// be copied.
  private var common = 0

  /// - Parameters:
  ///   - model: The model of the object.
  ///   - calls: The calls.
  ///   - budget: The maximum number of calls of the model.
  ///   - starts: The possible states of the object before the calls; if empty, that of a new object.
  ///   - collected: The ranges of the number of placed calls in which states are collected.
  init(
    model: Model,
    calls: [Call],
    budget: Int,
    starts: [Model.State] = [],
    collecting collected: [ClosedRange<Int>] = []
  ) {
    self.model = model
    self.calls = calls
    self.budget = budget
    self.starts = starts.isEmpty ? [model.initialState] : starts
    self.collected = collected
    states = collected.map { _ in [] }
    predecessors = Call.predecessors(in: calls)
    isReadOnly = calls.map { model.isReadOnly($0.operation) }
    list = CallList(begun: calls.map(\.begun), ended: calls.map(\.ended))
    placed = Placement(calls)
    state = self.starts.removeFirst()
  }

  mutating func run() -> LinearizabilityVerdict {
    collect()
    var last: Candidate?
    while placed.missing > 0 {
      switch place(after: last) {
      case .placed:
        last = nil
      case .outOfBudget:
        return .undecided
      case .deadEnd:
        remember()
        if let choice = choices.popLast() {
          common = min(common, choices.count)
          list.putBack(choice.candidate.call)
          placed.remove(choice.candidate.call)
          state = choice.before
          // Another state after the same call, or else another call.
          last = advance(choice.candidate, choice.others) ? nil : choice.candidate
        } else if starts.isEmpty {
          return .notLinearizable(longestOrder: longest)
        } else {
          state = starts.removeFirst()
          collect()
          last = nil
        }
      }
    }
    return .linearizable(order: choices.map(\.candidate.call))
  }

  // MARK: Steps

  private enum Step { case placed, deadEnd, outOfBudget }

  /// Places the first call after a candidate, in the order of attempts, that leads to a new state.
  private mutating func place(after last: Candidate?) -> Step {
    if let last, last.reason == .quiet, isReadOnly[last.call] { return .deadEnd }
    if last?.reason ?? .quiet == .quiet {
      var entry = last.map { list.entry(after: $0.call) } ?? list.first
      while case .begin(let call) = entry {
        entry = list.entry(after: call)
        // A call that never returned is placed only if it must have taken effect.
        guard calls[call].ended != nil, isFree(call) else { continue }
        if steps >= budget { return .outOfBudget }
        let next = ask(call, in: state)
        if next.count == 1, next[0] == state, advance(Candidate(call: call, reason: .quiet), next[...]) {
          return .placed
        }
      }
    }
    let first = next(after: nil)
    if last?.reason != .any, let first, ask(first, in: state).isEmpty {
      var previous = last?.reason == .helpful ? last?.call : nil
      while let call = next(after: previous) {
        previous = call
        if steps >= budget { return .outOfBudget }
        let helpful = ask(call, in: state).filter { !ask(first, in: $0).isEmpty }
        if advance(Candidate(call: call, reason: .helpful), helpful[...]) { return .placed }
      }
    }
    var previous = last?.reason == .any ? last?.call : nil
    while let call = next(after: previous) {
      previous = call
      if steps >= budget { return .outOfBudget }
      if advance(Candidate(call: call, reason: .any), ask(call, in: state)[...]) { return .placed }
    }
    return .deadEnd
  }

  private mutating func ask(_ call: Int, in state: Model.State) -> [Model.State] {
    steps += 1
    return model.states(after: calls[call].operation, answering: calls[call].answer, in: state)
  }

  /// Returns true if all calls that a call mustn't overtake are placed.
  private func isFree(_ call: Int) -> Bool { predecessors[call].map { placed.contains($0) } ?? true }

  /// Returns the call to try after another one: returned calls by their ends, then the others by their begins.
  private func next(after previous: Int?) -> Int? {
    let isPending = previous.map { calls[$0].ended == nil } ?? false
    if !isPending, let call = earliestEnd(after: previous) { return call }
    var entry = list.first
    if let previous, isPending { entry = list.entry(after: previous) }
    while case .begin(let call) = entry {
      // A read that never returned changes nothing and explains nothing; but others may have to come after it.
      let isNeeded = !isReadOnly[call] || calls[call].keepsOrder
      if calls[call].ended == nil, isNeeded, isFree(call) { return call }
      entry = list.entry(after: call)
    }
    return nil
  }

  private func earliestEnd(after previous: Int?) -> Int? {
    let earliest = previous.map(end)
    var best: (time: UInt64, call: Int)?
    var entry = list.first
    while case .begin(let call) = entry {
      entry = list.entry(after: call)
      guard calls[call].ended != nil, isFree(call) else { continue }
      if let earliest, end(call) <= earliest { continue }
      if let found = best, found < end(call) { continue }
      best = end(call)
    }
    return best?.call
  }

  private func end(_ call: Int) -> (time: UInt64, call: Int) { (calls[call].ended ?? .max, call) }

  /// Advances to the first of some states that wasn't tried with these calls.
  private mutating func advance(_ candidate: Candidate, _ states: ArraySlice<Model.State>) -> Bool {
    placed.insert(candidate.call)
    var others = states
    while let next = others.popFirst() {
      let point = Point(returned: placed.returned.key, pending: placed.pending.key, state: next)
      guard tried.insert(point).inserted else { continue }
      choices.append(Choice(candidate: candidate, before: state, others: others))
      list.lift(candidate.call)
      state = next
      collect()
      return true
    }
    placed.remove(candidate.call)
    return false
  }

  private mutating func remember() {
    var entry = list.first
    while case .begin(let call) = entry { entry = list.entry(after: call) }
    if case .end(let call) = entry { reached = max(reached, calls[call].ended ?? 0) }
    guard choices.count > longest.count else { return }
    longest.removeSubrange(common...)
    longest += choices[common...].lazy.map(\.candidate.call)
    common = choices.count
  }

  private mutating func collect() {
    for (index, range) in collected.enumerated() where range.contains(choices.count) { states[index].insert(state) }
  }
}

/// The calls that are placed: returned calls, all of which have to be placed, separate from calls that never returned.
private struct Placement {
  private(set) var returned: PlacedCalls
  private(set) var pending: PlacedCalls
  private(set) var missing: Int
  private let hasReturned: [Bool]
  /// The number of a call among its kind, by the time of the begin.
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
