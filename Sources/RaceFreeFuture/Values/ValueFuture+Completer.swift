// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

extension Completer where Work == ValueFuture<Void> {
  /// Completes the future; see ``ValueFuture/complete()``.
  public func complete() { future.complete() }
}

extension Completer {
  /// Completes the future with a value; see ``ValueFuture/complete(with:)-(Value)``.
  ///
  /// - Parameter value: The value.
  public func complete<Value>(with value: Value) where Work == ValueFuture<Value> { future.complete(with: value) }

  /// Completes the future with an error; see ``ValueFuture/complete(throwing:)``.
  ///
  /// - Parameter error: The error. Any error is a failure, even `CancellationError`.
  public func complete<Value>(throwing error: any Error) where Work == ValueFuture<Value> {
    future.complete(throwing: error)
  }

  /// Completes the future with a value or an error; see ``ValueFuture/complete(with:)-(Result<Value,Failure>)``.
  ///
  /// - Parameter result: The value or the error.
  public func complete<Value, Failure>(with result: Result<Value, Failure>) where Work == ValueFuture<Value> {
    future.complete(with: result)
  }

  /// Completes the future with a value or an error; see ``ValueFuture/complete(with:_:)``.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - error: The error.
  public func complete<Value>(with value: Value?, _ error: (any Error)?) where Work == ValueFuture<Value> {
    future.complete(with: value, error)
  }

  /// Completes the future with a value and returns whether this call did so; see ``ValueFuture/tryComplete(with:)``.
  ///
  /// - Parameter value: The value.
  /// - Returns: True if this call decided the outcome. Otherwise the value is still the caller's.
  @discardableResult
  public func tryComplete<Value>(with value: Value) -> Bool where Work == ValueFuture<Value> {
    future.tryComplete(with: value)
  }
}

extension ValueFuture {
  /// Creates a value future and the completer that owes it a result.
  ///
  /// - Parameters:
  ///   - label: A name for descriptions and errors.
  ///   - onUndelivered: Receives a value that is never delivered; see
  ///     ``init(linkedTo:label:target:onUndelivered:fileID:line:)``.
  /// - Returns: The completer; its ``Completer/future`` is for clients.
  public static func makeCompleter(
    label: String? = nil,
    onUndelivered: (@Sendable (Value) -> Void)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Completer<ValueFuture> {
    Completer(ValueFuture(label: label, onUndelivered: onUndelivered, fileID: fileID, line: line))
  }
}
