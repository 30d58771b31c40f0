// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting
import TestSupport
import Testing

// What the checker is compared with: the definition of linearizability, tried literally.

/// An order of the calls that the definition allows, found by trying every order of every selection.
func everyOrder<Model: SequentialModel>(
  of history: History<Model.Operation, Model.Answer>,
  _ model: Model
) -> [Int]? {
  func extend(_ order: [Int]) -> [Int]? {
    // What is impossible stays so with more calls behind it.
    guard isPossible(order, history, model) else { return nil }
    if isLegal(order, history, model) { return order }
    for next in history.calls.indices where !order.contains(next) {
      if let found = extend(order + [next]) { return found }
    }
    return nil
  }
  return extend([])
}

/// Whether an order has all calls that returned, respects the times, and explains the answers.
func isLegal<Model: SequentialModel>(
  _ order: [Int],
  _ history: History<Model.Operation, Model.Answer>,
  _ model: Model
) -> Bool {
  let calls = history.calls
  return isPossible(order, history, model) && calls.indices.allSatisfy { calls[$0].ended == nil || order.contains($0) }
}

/// Whether an order that needn't have all calls respects the times, and explains the answers.
func isPossible<Model: SequentialModel>(
  _ order: [Int],
  _ history: History<Model.Operation, Model.Answer>,
  _ model: Model
) -> Bool {
  let calls = history.calls
  guard Set(order).count == order.count else { return false }
  for (place, index) in order.enumerated() {
    for other in calls.indices where other != index && !order[..<place].contains(other) {
      if let ended = calls[other].ended, ended < calls[index].begun { return false }
      let isOwn = calls[other].thread == calls[index].thread && other < index
      if isOwn, calls[other].keepsOrder, calls[index].keepsOrder { return false }
    }
  }
  var states: Set<Model.State> = [model.initialState]
  for index in order {
    states = Set(
      states.flatMap { model.states(after: calls[index].operation, answering: calls[index].answer, in: $0) }
    )
  }
  return !states.isEmpty
}

/// Threads and times of calls, at random: those of one thread in their order, some at the same time as others, some
/// that never end.
func randomTimes(
  calls: Int,
  _ generator: inout SeededGenerator
) -> [(thread: Int, begun: UInt64, ended: UInt64?)] {
  var last: [UInt64] = [0, 0, 0]
  return (0..<calls).map { _ in
    let thread = Int.random(in: 0...2, using: &generator)
    let begun = last[thread] + UInt64.random(in: 1...3, using: &generator)
    let ended = begun + UInt64.random(in: 1...6, using: &generator)
    last[thread] = ended
    return (thread, begun, Int.random(in: 0..<10, using: &generator) == 0 ? nil : ended)
  }
}

// MARK: Models

enum RegisterOperation: Hashable, Sendable, CustomStringConvertible {
  case write(Int)
  case read

  var description: String {
    switch self {
    case .write(let value): "write(\(value))"
    case .read: "read()"
    }
  }
}

/// A write answers what was there before.
let register = SequentialImplementation(0) { (value: inout Int, operation: RegisterOperation) -> Int in
  defer { if case .write(let new) = operation { value = new } }
  return value
}

/// A register whose writes answer anything, and keeps as its state all that was written: so that every order differs.
struct ForgetfulRegister: SequentialModel {
  let initialState: [Int] = []

  func states(after operation: RegisterOperation, answering answer: Int?, in state: [Int]) -> [[Int]] {
    switch operation {
    case .write(let value): [state + [value]]
    case .read: answer == nil || answer == state.last ? [state] : []
    }
  }
}

/// Models for random small histories: a register, a queue, and a bag, which gives back any of what is in it.
enum SmallModel: String, SequentialModel, CaseIterable, CustomTestStringConvertible {
  case register, queue, bag

  enum Operation: Hashable, Sendable { case put(Int), take }

  static var all: [Self] { allCases }

  var testDescription: String { rawValue }

  var initialState: [Int] { [] }

  func states(after operation: Operation, answering answer: Int?, in state: [Int]) -> [[Int]] {
    switch (operation, self) {
    case (.put(let value), .register): answer == nil || answer == 0 ? [[value]] : []
    case (.take, .register): answer == nil || answer == state.first ?? 0 ? [state] : []
    case (.put(let value), _): answer == nil || answer == 0 ? [(state + [value]).sorted(in: self)] : []
    case (.take, .queue):
      if let first = state.first {
        answer == nil || answer == first ? [Array(state.dropFirst())] : []
      } else {
        answer == nil || answer == 0 ? [[]] : []
      }
    case (.take, .bag):
      state.isEmpty
        ? (answer == nil || answer == 0 ? [[]] : [])
        : state.indices.filter { answer == nil || answer == state[$0] }.map { index in
          var rest = state
          rest.remove(at: index)
          return rest
        }
    }
  }

  /// A small history that is as likely to be legal as not.
  func history(_ generator: inout SeededGenerator) -> History<Operation, Int> {
    // Five calls have 326 orders of selections, six 1957.
    let times = randomTimes(calls: Int.random(in: 1...6, using: &generator), &generator)
    let keepsOrder = Bool.random(using: &generator)
    return History(
      times.map { thread, begun, ended in
        let operation: Operation =
          Bool.random(using: &generator) ? .put(Int.random(in: 1...2, using: &generator)) : .take
        let answer = operation == .take ? Int.random(in: 0...2, using: &generator) : 0
        // What keeps order may end long after it was queued.
        let isLong = keepsOrder && Bool.random(using: &generator)
        return if let ended {
          .init(
            thread: thread,
            operation,
            answer: answer,
            begun: begun,
            ended: isLong ? ended + 10 : ended,
            keepsOrder: isLong
          )
        } else {
          .init(thread: thread, operation, begun: begun, keepsOrder: isLong)
        }
      }
    )
  }
}

extension [Int] {
  fileprivate func sorted(in model: SmallModel) -> Self { model == .bag ? sorted() : self }
}
