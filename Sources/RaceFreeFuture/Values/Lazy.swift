// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// A variable whose initial value is computed when it is first read, once, whichever threads read it.
///
/// ```swift
/// struct Document {
///   @Lazy var words = readDictionary()   // not before somebody spells
/// }
/// ```
///
/// It differs from `lazy var` in that reading doesn't change it: it may be a constant's member, and be read by several
/// threads at the same time. The first reader computes the value on its own thread, the others wait; see
/// ``Implicit/value``. Copies share the value. A value that needs itself stops the program with a message that says so.
@propertyWrapper
public struct Lazy<Value: Sendable>: Sendable {
  private var content: Implicit<Value>

  /// Keeps what computes the value until somebody reads it.
  ///
  /// - Parameters:
  ///   - wrappedValue: Computes the value, at most once.
  ///   - label: A name for descriptions and messages.
  ///   - fileID: The file of the variable; keep the default.
  ///   - line: The line of the variable; keep the default.
  public init(
    wrappedValue: @autoclosure @escaping @Sendable () -> Value,
    label: String? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) {
    content = Implicit(.lazy(label: label, fileID: fileID, line: line) { _ in wrappedValue() })
  }

  /// The value; reading it blocks the calling thread until it is there.
  ///
  /// Setting it puts a value in the place of the work.
  public var wrappedValue: Value {
    get { content.value }
    set { content = Implicit(.completed(with: newValue)) }
  }

  /// The future of the value: to await or cancel it.
  public var projectedValue: ValueFuture<Value> { content.future }
}
