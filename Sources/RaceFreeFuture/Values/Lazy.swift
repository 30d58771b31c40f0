// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// A variable whose initial value is computed once, when it is first read on any thread.
///
/// ```swift
/// struct Document {
///   @Lazy var words = readDictionary()   // not before somebody spells
/// }
/// ```
///
/// It differs from `lazy var` in that reading doesn't change it: it may be a member of a constant, and several threads
/// may read it at the same time. The first reader computes the value on its own thread, and the others wait; see
/// ``Implicit/value``. Copies share the value. A value that needs itself stops the program with a message that says so.
@propertyWrapper
public struct Lazy<Value: Sendable>: Sendable {
  private var content: Implicit<Value>

  /// Keeps the closure that computes the value until the value is read.
  ///
  /// - Parameters:
  ///   - wrappedValue: Computes the value, at most once.
  ///   - label: A name for descriptions and messages.
  public init(
    wrappedValue: @autoclosure @escaping @Sendable () -> Value,
    label: String? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) {
    content = Implicit(.lazy(label: label, fileID: fileID, line: line) { _ in wrappedValue() })
  }

  /// The value; reading it blocks the calling thread until it is available.
  ///
  /// Setting it replaces the work by a value.
  public var wrappedValue: Value {
    get { content.value }
    set { content = Implicit(.completed(with: newValue)) }
  }

  /// The future of the value, to await or cancel it.
  public var projectedValue: ValueFuture<Value> { content.future }
}
