// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The model of a list of ``ModelledOperation``s: an operation is a place in the list.
package struct OperationList<Subject: Sendable, State: Hashable & Sendable>: SequentialModel {
  package typealias Answer = SomeAnswer

  package struct Operation: Hashable, Sendable, CustomStringConvertible {
    let index: Int
    package let description: String
  }

  package let initialState: State

  package init(initialState: State, list: [ModelledOperation<Subject, State>]) {
    (self.initialState, self.list) = (initialState, list)
  }

  let list: [ModelledOperation<Subject, State>]

  package var operations: [Operation] {
    list.enumerated().map { Operation(index: $0.offset, description: $0.element.name) }
  }

  package func call(_ subject: Subject, _ operation: Operation) -> SomeAnswer { list[operation.index].call(subject) }

  package func states(after operation: Operation, answering answer: SomeAnswer?, in state: State) -> [State] {
    var next = state
    let given = list[operation.index].apply(&next)
    return answer == nil || answer == given ? [next] : []
  }

  package func answers(to operation: Operation, in state: State) -> [SomeAnswer] {
    var next = state
    return [list[operation.index].apply(&next)]
  }
}
