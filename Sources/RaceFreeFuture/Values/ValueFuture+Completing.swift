// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// MARK: - Complete

extension ValueFuture {
  /// Completes the future with a value, if it is still pending when this call takes its turn.
  ///
  /// Inline handlers run on the calling thread, before this returns. A value that comes too late goes to
  /// `onUndelivered`. Never blocks, and can be called from any thread and any number of times: see
  /// ``Future/complete()``.
  ///
  /// - Parameter value: The value.
  @inlinable
  public func complete(with value: Value) {
    deliver(ValueBox(value, onUndelivered: onUndelivered))
  }

  /// The part of `complete(with:)` that doesn't depend on the type of the value.
  ///
  /// The rest is inlined at the call: there the type of the box is known, and isn't created at run time.
  @usableFromInline
  func deliver(_ box: AnyValueBox) {
    future.decide(.delivered(box))
  }

  /// Completes the future with an error, if it is still pending when this call takes its turn.
  ///
  /// Inline handlers run on the calling thread, before this returns. A failure is a completion: handlers of results
  /// run, not handlers of cancellations. Any error is a failure here, even `CancellationError`. An error that comes too
  /// late is reported to ``Future/observer``.
  ///
  /// - Parameter error: The error.
  public func complete(throwing error: any Error) {
    future.decide(.failed(error))
  }

  /// Ends the future with an error thrown by a user's closure: `CancellationError` cancels it, every other error is its
  /// failure.
  package func end(throwing error: any Error) {
    future.decide(.thrown(error))
  }

  /// Completes the future with a value or an error, if it is still pending when this call takes its turn.
  ///
  /// Meant for callbacks that bring a `Result`. See ``complete(with:)-(Value)``.
  ///
  /// - Parameter result: The value or the error.
  public func complete<Failure: Error>(with result: Result<Value, Failure>) {
    switch result {
    case .success(let value): complete(with: value)
    case .failure(let error): complete(throwing: error)
    }
  }

  /// Completes the future with a value or an error, if it is still pending when this call takes its turn.
  ///
  /// Meant for callbacks with two optionals, one of them nil. If both are, or none is, the future fails with
  /// ``CallbackError``; a value that came with an error goes to `onUndelivered`. See ``complete(with:)-(Value)``.
  ///
  /// - Parameters:
  ///   - value: The value. If `Value` itself is optional, an argument of type `Value` is a value even if it is nil.
  ///   - error: The error.
  public func complete(with value: Value?, _ error: (any Error)?) {
    guard let error else {
      guard let value else { return complete(throwing: CallbackError.neitherValueNorError) }
      return complete(with: value)
    }
    guard let value else { return complete(throwing: error) }
    // Given back when it is released, like a late value.
    withExtendedLifetime(ValueBox(value, onUndelivered: onUndelivered)) {
      complete(throwing: CallbackError.bothValueAndError(error))
    }
  }

  /// Completes the future with a value and returns whether this call did so.
  ///
  /// See ``Future/tryComplete()`` for when this waits.
  ///
  /// - Parameter value: The value.
  /// - Returns: True if this call decided the outcome. Otherwise the value is still the caller's: it doesn't go to
  ///   `onUndelivered`.
  @discardableResult
  public func tryComplete(with value: Value) -> Bool {
    let box = ValueBox(value, onUndelivered: onUndelivered)
    if future.decideAndWait(.delivered(box)) { return true }
    box.settle()
    return false
  }

  /// Completes the future with an error and returns whether this call did so.
  ///
  /// See ``Future/tryComplete()`` for when this waits.
  ///
  /// - Parameter error: The error. Any error is a failure, as with ``complete(throwing:)``.
  /// - Returns: True if this call decided the outcome.
  @discardableResult
  public func tryComplete(throwing error: any Error) -> Bool {
    future.decideAndWait(.failed(error))
  }
}

extension ValueFuture where Value == Void {
  /// Completes the future, if it is still pending when this call takes its turn.
  public func complete() {
    complete(with: ())
  }
}
