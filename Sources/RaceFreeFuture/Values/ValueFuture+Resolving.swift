// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

public import Dispatch

// MARK: - Resolve

extension ValueFuture {
  /// Completes the future with a value, if it is still pending when this call takes its turn.
  ///
  /// Callable from any thread and any number of times; the first call wins. Never blocks; for the thread on which
  /// inline handlers run see ``Future/complete()``. A value that comes too late goes to `onUndelivered`.
  ///
  /// - Parameter value: The value.
  @inlinable
  public func complete(with value: Value) {
    deliver(Parcel(value, onUndelivered: onUndelivered))
  }

  /// The part of `complete(with:)` that doesn't depend on the type of the value.
  ///
  /// The rest is inlined where it is called: there the type of the parcel is known, and isn't made at run time.
  @usableFromInline
  func deliver(_ parcel: AnyParcel) {
    future.decide(.delivered(parcel))
  }

  /// Completes the future with an error, if it is still pending when this call takes its turn.
  ///
  /// A failure is a completion: handlers of results run, those of cancellations don't. To stop the work use
  /// ``cancel(throwing:)``. That is so whatever the error is: `CancellationError`, which cancels if a closure throws it
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

  /// Completes the future with a value and tells whether this very call did it.
  ///
  /// Waits only as ``Future/tryComplete()`` does.
  ///
  /// - Parameter value: The value.
  /// - Returns: Whether this call decided the outcome. If not the value is still the caller's: it doesn't go to
  ///   `onUndelivered`.
  @discardableResult
  public func tryComplete(with value: Value) -> Bool {
    let parcel = Parcel(value, onUndelivered: onUndelivered)
    if future.decideAndWait(.delivered(parcel)) { return true }
    parcel.settle()
    return false
  }

  /// Completes the future with an error and tells whether this very call did it.
  ///
  /// Waits only as ``Future/tryComplete()`` does.
  ///
  /// - Parameter error: The error: a failure whatever it is, as with ``complete(throwing:)``.
  /// - Returns: Whether this call decided the outcome.
  @discardableResult
  public func tryComplete(throwing error: any Error) -> Bool {
    future.decideAndWait(.failed(error))
  }

  /// Cancels the future, if it is still pending when this call takes its turn; see ``Future/cancel(throwing:)``.
  ///
  /// - Parameter reason: Why: what those who wait for the value are thrown.
  public func cancel(throwing reason: any Error = CancellationError()) {
    future.cancel(throwing: reason)
  }

  /// Cancels the future and tells whether this very call did it; see ``Future/tryCancel(throwing:)``.
  ///
  /// - Parameter reason: Why: what those who wait for the value are thrown.
  /// - Returns: Whether this call decided the outcome.
  @discardableResult
  public func tryCancel(throwing reason: any Error = CancellationError()) -> Bool {
    future.tryCancel(throwing: reason)
  }

  /// Cancels the future when the given time has passed, unless it is resolved before; see
  /// ``Future/cancel(after:throwing:)``.
  ///
  /// - Parameters:
  ///   - interval: How long; zero or less: at once.
  ///   - reason: Why; by default a ``TimeoutError``.
  /// - Returns: What takes the timer back.
  @discardableResult
  public func cancel(after interval: DispatchTimeInterval, throwing reason: (any Error)? = nil) -> Registration {
    future.cancel(after: interval, throwing: reason)
  }

  /// Starts work and hooks up how to stop it, in one call; see ``Future/attach(_:stop:)``.
  ///
  /// - Parameters:
  ///   - start: Starts the work and returns its handle; not called if the future is cancelled already.
  ///   - stop: Stops the work; called once if the future is cancelled, after `start` has returned.
  /// - Throws: What `start` threw; then nothing is hooked up.
  public func attach<Handle: Sendable, E: Error>(
    _ start: () throws(E) -> Handle,
    stop: @escaping @Sendable (Handle) -> Void
  ) throws(E) {
    try future.attach(start, stop: stop)
  }
}

extension ValueFuture where Value == Void {
  /// Completes the future, if it is still pending when this call takes its turn.
  public func complete() {
    complete(with: ())
  }
}
