// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// A value that may still have to be computed, used like the value itself: reading one of its properties waits for the
/// value.
///
/// ```swift
/// let files: [String: Implicit<File>] = Dictionary(uniqueKeysWithValues: names.map { name in
///   (name, Implicit(.lazy { _ in File(reading: name) }))
/// })
/// print(files["a.txt"]?.size ?? 0)  // reads this file, and no other
/// ```
///
/// Reading blocks the calling thread as ``ValueFuture/wait()`` does; in asynchronous functions, await the
/// ``ValueFuture/value`` of the ``future`` instead. If there is no value, because the work failed or was cancelled,
/// reading can't report an error: an optional value is nil then, and any other stops the program with a message. The
/// semantics are those of the implicit futures of MAFuture.
@dynamicMemberLookup
public struct Implicit<Value: Sendable>: Sendable {
  /// The future of the value, to await it, to cancel it, or to get an error.
  public let future: ValueFuture<Value>

  /// Creates a value from a future.
  ///
  /// - Parameter future: The future, for example ``ValueFuture/lazy(label:onUndelivered:fileID:line:_:)``.
  public init(_ future: ValueFuture<Value>) {
    self.future = future
  }

  /// The value; reading it blocks the calling thread until it is available.
  ///
  /// If there will never be a value, reading an optional value returns nil, and reading any other stops the program.
  public var value: Value {
    do {
      return try future.wait()
    } catch {
      guard let optional = Value.self as? any ExpressibleByNilLiteral.Type,
        let none = optional.init(nilLiteral: ()) as? Value
      else { fatalError("the value of \(future.future.name) was read, but there is none: \(error)") }
      return none
    }
  }

  /// A property of the value; reading it blocks the calling thread until the value is available.
  ///
  /// - Parameter keyPath: The property.
  public subscript<Property>(dynamicMember keyPath: KeyPath<Value, Property>) -> Property {
    value[keyPath: keyPath]
  }

  /// A property of an optional value, nil if there is none; reading it blocks the calling thread until that is known.
  ///
  /// - Parameter keyPath: The property.
  public subscript<Wrapped, Property>(
    dynamicMember keyPath: KeyPath<Wrapped, Property>
  ) -> Property? where Value == Wrapped? {
    value?[keyPath: keyPath]
  }
}
