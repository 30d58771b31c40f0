// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// A model that is an implementation for a single thread: a value, and a function that applies an operation to it.
///
/// ```swift
/// enum Operation { case increment, value }
///
/// let counter = SequentialImplementation(0) { (count: inout Int, operation: Operation) -> Int in
///   if operation == .increment { count += 1 }
///   return count
/// }
/// ```
public struct SequentialImplementation<State, Operation, Answer>: SequentialModel
where State: Hashable & Sendable, Operation: Sendable, Answer: Equatable & Sendable {
  /// The state of a new object.
  public let initialState: State

  private let apply: @Sendable (inout State, Operation) -> Answer
  private let partOf: @Sendable (Operation) -> AnyHashable?
  private let reads: @Sendable (Operation) -> Bool

  /// Creates a model.
  ///
  /// - Parameters:
  ///   - initialState: The state of a new object.
  ///   - part: The part of the object that an operation uses, if parts don't influence each other.
  ///   - readOnly: Returns true if an operation never changes the state; see ``SequentialModel/isReadOnly(_:)``.
  ///   - apply: Applies an operation to a state and returns the answer. Must depend on nothing else.
  public init(
    _ initialState: State,
    part: @escaping @Sendable (Operation) -> AnyHashable? = { _ in nil },
    readOnly: @escaping @Sendable (Operation) -> Bool = { _ in false },
    apply: @escaping @Sendable (inout State, Operation) -> Answer
  ) {
    self.initialState = initialState
    self.partOf = part
    self.reads = readOnly
    self.apply = apply
  }

  /// Returns the one state after the operation, or none if its answer is different.
  public func states(after operation: Operation, answering answer: Answer?, in state: State) -> [State] {
    var next = state
    let given = apply(&next, operation)
    return answer == nil || answer == given ? [next] : []
  }

  /// Returns the one answer.
  public func answers(to operation: Operation, in state: State) -> [Answer] {
    var next = state
    return [apply(&next, operation)]
  }

  /// Returns the part according to the closure that the model was made with.
  public func part(of operation: Operation) -> AnyHashable? { partOf(operation) }

  /// Returns the result of the closure that the model was made with.
  public func isReadOnly(_ operation: Operation) -> Bool { reads(operation) }
}
