// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// An operation of an object, and the same operation of its model.
///
/// ```swift
/// ModelledOperation("increment()", { $0.increment() }, model: { $0 += 1; return $0 })
/// ```
public struct ModelledOperation<Subject: Sendable, State: Hashable & Sendable>: Sendable {
  let name: String
  let call: @Sendable (Subject) -> SomeAnswer
  let apply: @Sendable (inout State) -> SomeAnswer

  /// Creates an operation with an answer.
  ///
  /// - Parameters:
  ///   - name: Its name in reports, including arguments: `push(1)`.
  ///   - call: Calls the object. Runs on several threads at the same time, with the same object.
  ///   - model: Does the same with the model. Must depend only on the model.
  public init<Answer: Hashable & Sendable>(
    _ name: String,
    _ call: @escaping @Sendable (Subject) -> Answer,
    model: @escaping @Sendable (inout State) -> Answer
  ) {
    self.name = name
    self.call = { SomeAnswer(call($0)) }
    self.apply = { SomeAnswer(model(&$0)) }
  }

  /// Creates an operation without an answer.
  public init(
    _ name: String,
    _ call: @escaping @Sendable (Subject) -> Void,
    model: @escaping @Sendable (inout State) -> Void
  ) {
    self.name = name
    self.call = { subject in
      call(subject)
      return SomeAnswer(NoAnswer())
    }
    self.apply = { state in
      model(&state)
      return SomeAnswer(NoAnswer())
    }
  }
}

/// The answer of an operation that has none.
private struct NoAnswer: Hashable, CustomStringConvertible {
  var description: String { "" }
}

/// An answer of any type.
package struct SomeAnswer: Hashable, Sendable, CustomStringConvertible {
  private let value: any Hashable & Sendable

  init(_ value: any Hashable & Sendable) { self.value = value }

  package var description: String { Wording.unicode.text(value) }

  package static func == (one: Self, other: Self) -> Bool {
    func isEqual<Value: Hashable>(_ value: Value) -> Bool { other.value as? Value == value }
    return isEqual(one.value)
  }

  package func hash(into hasher: inout Hasher) { value.hash(into: &hasher) }
}
