// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting

/// A register that is read, written, and exchanged if it has an expected value; nil: nothing was written.
struct RegisterModel: SequentialModel {
  enum Operation: Hashable, Sendable {
    case read
    case write(Int)
    case exchange(Int, Int)
  }
  enum Answer: Hashable, Sendable {
    case value(Int?)
    case done
    case exchanged(Bool)
  }

  var initialState: Int?

  func states(after operation: Operation, answering answer: Answer?, in state: Int?) -> [Int?] {
    switch operation {
    case .read: answer == nil || answer == .value(state) ? [state] : []
    case .write(let new): [new]
    case .exchange(let old, let new):
      answer == nil || answer == .exchanged(state == old) ? [state == old ? new : state] : []
    }
  }

  func isReadOnly(_ operation: Operation) -> Bool { operation == .read }
}

/// A dictionary of texts, whose keys are parts of their own.
struct TextsModel: SequentialModel {
  enum Operation: Hashable, Sendable {
    case get(String)
    case put(String, String)
    case append(String, String)
  }

  var initialState: String { "" }

  func states(after operation: Operation, answering answer: String?, in state: String) -> [String] {
    switch operation {
    case .get: answer == nil || answer == state ? [state] : []
    case .put(_, let text): [text]
    case .append(_, let text): [state + text]
    }
  }

  func part(of operation: Operation) -> AnyHashable? {
    switch operation {
    case .get(let key), .put(let key, _), .append(let key, _): key
    }
  }

  func isReadOnly(_ operation: Operation) -> Bool { if case .get = operation { true } else { false } }
}

/// A set, of which a reading returns all elements, sorted.
struct SetModel: SequentialModel {
  enum Operation: Hashable, Sendable {
    case insert(Int)
    case elements
  }

  var initialState: Set<Int> { [] }

  func states(after operation: Operation, answering answer: [Int]?, in state: Set<Int>) -> [Set<Int>] {
    switch operation {
    case .insert(let element): [state.union([element])]
    case .elements: answer.map { $0 == state.sorted() } ?? true ? [state] : []
    }
  }
}

/// A register of several values: a writer leaves any of those that it is given, and a reader sees some, or all.
struct ChoiceModel: SequentialModel {
  enum Operation: Hashable, Sendable {
    case putAny([Int])
    case getAny
    case getAll
  }

  var initialState: Set<Int> { [] }

  func states(after operation: Operation, answering answer: Set<Int>?, in state: Set<Int>) -> [Set<Int>] {
    switch operation {
    case .putAny(let values):
      values.reduce([[]]) { sets, value in sets + sets.map { $0.union([value]) } }
    case .getAny: answer.map { $0.isSubset(of: state) } ?? true ? [state] : []
    case .getAll: answer.map { $0 == state } ?? true ? [state] : []
    }
  }
}

/// The objects of lincheck's guide: a value type for each, with its operations.
enum Counter {
  enum Operation: Hashable, Sendable { case increment, get }

  static let model = SequentialImplementation(0) { (value: inout Int, operation: Operation) -> Int in
    if operation == .increment { value += 1 }
    return value
  }
}

enum Collection {
  enum Operation: Hashable, Sendable {
    case addFirst(Int)
    case addLast(Int)
    case removeFirst, removeLast, last
    /// Everything, in sequence.
    case all
  }

  static let model = SequentialImplementation([]) { (elements: inout [Int], operation: Operation) -> [Int] in
    switch operation {
    case .addFirst(let element): elements.insert(element, at: 0)
    case .addLast(let element): elements.append(element)
    case .removeFirst: return elements.isEmpty ? [] : [elements.removeFirst()]
    case .removeLast: return elements.popLast().map { [$0] } ?? []
    case .last: return elements.suffix(1).map(\.self)
    case .all: return elements
    }
    return []
  }
}
