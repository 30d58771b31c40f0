// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// What an object promises, said as if only one thread ever called it.
///
/// A history of calls that overlapped is *linearizable* if they could have been made one after the other, each at some
/// moment between its begin and its end, and would have given the same answers. The model tells what the answers are
/// when calls are made one after the other.
///
/// Most models are a value type with the operations of the object: for those ``SequentialImplementation`` is the
/// shorter way. Conform to this protocol if an operation may go in more than one way.
///
/// Its functions are called many times, by one thread at a time, and must depend on nothing but their arguments.
public protocol SequentialModel<Operation, Answer>: Sendable {
  /// What is called, arguments included: usually an enumeration.
  associatedtype Operation: Sendable

  /// What a call returns.
  associatedtype Answer: Sendable

  /// What the object is at one moment. The smaller it is, the faster is the search.
  associatedtype State: Hashable & Sendable

  /// The state of a new object.
  var initialState: State { get }

  /// The states in which an operation can leave the object.
  ///
  /// - Parameters:
  ///   - operation: What was called.
  ///   - answer: What it returned; nil if the call never returned, and any answer will do.
  ///   - state: What the object was before.
  /// - Returns: None if the operation can't give this answer in this state, several if it isn't said which way it goes.
  func states(after operation: Operation, answering answer: Answer?, in state: State) -> [State]

  /// What an operation may answer in a state, for the sentence that explains a failure: "… must return false".
  ///
  /// Without an implementation of yours it is empty, and the sentence says only what can't be.
  func answers(to operation: Operation, in state: State) -> [Answer]

  /// The part of the object that an operation is about, if there are parts which don't influence each other.
  ///
  /// The keys of a dictionary, for example. Each part then has a state of its own and is checked for itself, which is
  /// much faster. Without an implementation of yours it is nil: all operations are about the whole.
  func part(of operation: Operation) -> AnyHashable?

  /// Whether an operation leaves the object as it is, in whatever state and with whatever answer.
  ///
  /// To say so of reads makes the search of long histories, and of those of many threads, much faster. It must be true:
  /// the search relies on it. Without an implementation of yours it is false.
  func isReadOnly(_ operation: Operation) -> Bool
}

extension SequentialModel {
  /// None: it isn't said.
  public func answers(to operation: Operation, in state: State) -> [Answer] { [] }

  /// Nil: all operations are about the whole.
  public func part(of operation: Operation) -> AnyHashable? { nil }

  /// False: it isn't said.
  public func isReadOnly(_ operation: Operation) -> Bool { false }
}
