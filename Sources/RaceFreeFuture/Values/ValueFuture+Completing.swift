// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// MARK: - Complete

extension ValueFuture {
  /// Completes the future with a value, if it is still pending when this call takes its turn.
  ///
  /// Callable from any thread and any number of times; the first call wins. Never blocks; for the thread on which
  /// inline handlers run see ``Future/complete()``. A value that comes too late goes to `onUndelivered`.
  ///
  /// - Parameter value: The value.
  @inlinable
  public func complete(with value: Value) {
    deliver(ValueBox(value, onUndelivered: onUndelivered))
  }

  /// The part of `complete(with:)` that doesn't depend on the type of the value.
  ///
  /// The rest is inlined where it is called: there the type of the box is known, and isn't made at run time.
  @usableFromInline
  func deliver(_ box: AnyValueBox) {
    future.decide(.delivered(box))
  }

  /// Completes the future with an error, if it is still pending when this call takes its turn.
  ///
  /// A failure is a completion: handlers of results run, those of cancellations don't. To stop the work use
  /// ``CancellableWork/cancel(throwing:fileID:line:)``. That is so whatever the error is: `CancellationError`, which cancels if a closure throws it
  /// that makes a value, is a failure if it is given here. An error that comes too late changes nothing; ``Future/observer``
  /// is told of it.
  ///
  /// - Parameter error: The error.
  public func complete(throwing error: any Error) {
    future.decide(.failed(error))
  }

  /// Ends the future with what a closure of the user's threw: `CancellationError` cancels it, every other error is its
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

  /// Completes the future with a value and returns whether this call did so.
  ///
  /// Waits only as ``Future/tryComplete()`` does.
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
  /// Waits only as ``Future/tryComplete()`` does.
  ///
  /// - Parameter error: The error: a failure whatever it is, as with ``complete(throwing:)``.
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
