// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The behavior of an object that only one thread calls.
///
/// A history of calls that overlapped is *linearizable* if they could have been made one after the other, each at some
/// moment between its begin and its end, and would have given the same answers. The model defines the answers of calls
/// that are made one after the other.
///
/// Most models are a value type with the operations of the object: for those ``SequentialImplementation`` is shorter.
/// Conform to this protocol if an operation may have more than one result.
///
/// Its functions are called many times, by one thread at a time, and must depend only on their arguments.
public protocol SequentialModel<Operation, Answer>: Sendable {
  /// An operation, including its arguments: usually an enumeration.
  associatedtype Operation: Sendable

  /// The answer of a call.
  associatedtype Answer: Sendable

  /// The state of the object at one moment. The smaller it is, the faster the search.
  associatedtype State: Hashable & Sendable

  /// The state of a new object.
  var initialState: State { get }

  /// Returns the states in which an operation can leave the object.
  ///
  /// - Parameters:
  ///   - operation: The operation that was called.
  ///   - answer: The answer; nil if the call never returned, so that any answer is allowed.
  ///   - state: The state before the operation.
  /// - Returns: The states; empty if the operation can't give this answer in this state, several if its result isn't
  ///   determined.
  func states(after operation: Operation, answering answer: Answer?, in state: State) -> [State]

  /// Returns the possible answers of an operation in a state, for the sentence that explains a failure: "… must return
  /// false".
  ///
  /// The default implementation returns an empty array; then the sentence states only what is impossible.
  func answers(to operation: Operation, in state: State) -> [Answer]

  /// Returns the part of the object that an operation uses, if there are parts which don't influence each other.
  ///
  /// The keys of a dictionary, for example. Each part then has a state of its own and is checked separately, which is
  /// much faster. The default implementation returns nil: all operations use the whole object.
  func part(of operation: Operation) -> AnyHashable?

  /// Returns true if an operation leaves the object unchanged, in every state and with every answer.
  ///
  /// Returning true for reads makes the search of long histories, or of many threads, much faster. The answer must be
  /// correct: the search relies on it. The default implementation returns false.
  func isReadOnly(_ operation: Operation) -> Bool
}

extension SequentialModel {
  /// Returns an empty array: the answers are unspecified.
  public func answers(to operation: Operation, in state: State) -> [Answer] { [] }

  /// Returns nil: all operations use the whole object.
  public func part(of operation: Operation) -> AnyHashable? { nil }

  /// Returns false.
  public func isReadOnly(_ operation: Operation) -> Bool { false }
}
