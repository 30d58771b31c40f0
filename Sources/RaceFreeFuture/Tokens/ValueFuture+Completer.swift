// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

extension ValueFuture {
  /// The worker's end of a value future: whoever holds it owes a result.
  ///
  /// When its last reference goes while the future is still pending, the future is cancelled with ``AbandonedError``,
  /// so that nobody waits for a worker who is gone. Hold it where the work is, and nowhere else: a handler of its own
  /// future that keeps it would keep it for ever.
  ///
  /// ```swift
  /// func measure(_ read: (@escaping @Sendable (Double) -> Void) -> Void) -> ValueFuture<Double> {
  ///   let completer = ValueFuture<Double>.makeCompleter(label: "measure")
  ///   read { completer.complete(with: $0) }  // if `read` drops this closure, the future is cancelled
  ///   return completer.future
  /// }
  /// ```
  public final class Completer: Sendable {
    /// The value future that this completer completes.
    public let future: ValueFuture

    init(_ future: ValueFuture) {
      self.future = future
    }

    deinit {
      guard future.isPending else { return }
      // Nested, if a handler of the future holds the next completer, and so on.
      Trampoline.run { [future] in future.cancel(throwing: AbandonedError(future.future)) }
    }

    /// Completes the future with a value; see ``ValueFuture/complete(with:)-(Value)``.
    ///
    /// - Parameter value: The value.
    public func complete(with value: Value) { future.complete(with: value) }

    /// Completes the future with an error; see ``ValueFuture/complete(throwing:)``.
    ///
    /// - Parameter error: The error: a failure whatever it is, also `CancellationError`.
    public func complete(throwing error: any Error) { future.complete(throwing: error) }

    /// Completes the future with a value or an error; see ``ValueFuture/complete(with:)-(Result<Value,Failure>)``.
    ///
    /// - Parameter result: The value or the error.
    public func complete<Failure: Error>(with result: Result<Value, Failure>) { future.complete(with: result) }

    /// Completes the future with a value and tells whether this very call did it; see
    /// ``ValueFuture/tryComplete(with:)``.
    ///
    /// - Parameter value: The value.
    /// - Returns: Whether this call decided the outcome. If not the value is still the caller's.
    @discardableResult
    public func tryComplete(with value: Value) -> Bool { future.tryComplete(with: value) }

    /// Completes the future with an error and tells whether this very call did it; see
    /// ``ValueFuture/tryComplete(throwing:)``.
    ///
    /// - Parameter error: The error.
    /// - Returns: Whether this call decided the outcome.
    @discardableResult
    public func tryComplete(throwing error: any Error) -> Bool { future.tryComplete(throwing: error) }

    /// Cancels the future; see ``ValueFuture/cancel(throwing:)``.
    ///
    /// - Parameter reason: Why.
    public func cancel(throwing reason: any Error = CancellationError()) { future.cancel(throwing: reason) }

    /// Cancels the future and tells whether this very call did it; see ``ValueFuture/tryCancel(throwing:)``.
    ///
    /// - Parameter reason: Why.
    /// - Returns: Whether this call decided the outcome.
    @discardableResult
    public func tryCancel(throwing reason: any Error = CancellationError()) -> Bool {
      future.tryCancel(throwing: reason)
    }

    /// Adds a handler that runs once if the future is cancelled: the place to stop the work.
    ///
    /// - Parameters:
    ///   - context: Where it runs; by default on the future's private queue.
    ///   - handler: It must not keep this completer. For the rest see
    ///     ``Future/onCancel(on:_:)-(HandlerContext,()->Void)``.
    /// - Returns: What takes the handler back. Dropping it changes nothing.
    @discardableResult
    public func onCancel(
      on context: HandlerContext = .serialQueue,
      _ handler: @escaping @Sendable () -> Void
    ) -> Registration {
      future.onCancel(on: context, handler)
    }

    /// Starts work and hooks up how to stop it, in one call; see ``Future/attach(_:stop:)``.
    ///
    /// - Parameters:
    ///   - start: Starts the work and returns its handle; not called if the future is cancelled already.
    ///   - stop: Stops the work; called once if the future is cancelled, after `start` has returned. It must not keep
    ///     this completer. Nor should the handle, which is kept until the outcome: one that holds on to its callback
    ///     when the work is over would keep the completer from noticing.
    /// - Throws: What `start` threw; then nothing is hooked up.
    public func attach<Handle: Sendable, E: Error>(
      _ start: () throws(E) -> Handle,
      stop: @escaping @Sendable (Handle) -> Void
    ) throws(E) {
      try future.attach(start, stop: stop)
    }
  }

  /// Makes a value future and the completer that owes it a result.
  ///
  /// - Parameters:
  ///   - label: A name for descriptions and errors.
  ///   - onUndelivered: Gets a value that nobody will receive; see
  ///     ``init(label:qos:target:onUndelivered:fileID:line:)``.
  ///   - fileID: Leave it out: the file in which the future is made.
  ///   - line: Leave it out: the line on which the future is made.
  /// - Returns: The completer; its ``Completer/future`` is for everybody else.
  public static func makeCompleter(
    label: String? = nil,
    onUndelivered: (@Sendable (Value) -> Void)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Completer {
    Completer(ValueFuture(label: label, onUndelivered: onUndelivered, fileID: fileID, line: line))
  }
}

extension ValueFuture.Completer where Value == Void {
  /// Completes the future; see ``ValueFuture/complete()``.
  public func complete() { future.complete() }
}
