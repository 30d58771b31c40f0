// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The model of a list of ``ModelledOperation``s: an operation is a place in the list.
struct OperationList<Subject: Sendable, State: Hashable & Sendable>: SequentialModel {
  typealias Answer = SomeAnswer

  struct Operation: Hashable, Sendable, CustomStringConvertible {
    let index: Int
    let description: String
  }

  let initialState: State
  let list: [ModelledOperation<Subject, State>]

  var operations: [Operation] { list.enumerated().map { Operation(index: $0.offset, description: $0.element.name) } }

  func call(_ subject: Subject, _ operation: Operation) -> SomeAnswer { list[operation.index].call(subject) }

  func states(after operation: Operation, answering answer: SomeAnswer?, in state: State) -> [State] {
    var next = state
    let given = list[operation.index].apply(&next)
    return answer == nil || answer == given ? [next] : []
  }

  func answers(to operation: Operation, in state: State) -> [SomeAnswer] {
    var next = state
    return [list[operation.index].apply(&next)]
  }
}
