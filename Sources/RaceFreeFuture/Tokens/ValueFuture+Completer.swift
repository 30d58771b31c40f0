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
  public final class Completer: CancellableWork {
    /// The value future that this completer completes.
    public let future: ValueFuture

    /// The token of the future.
    ///
    /// No handler that is registered with it may keep this completer: it would never go.
    @inlinable
    public var cancelToken: CancelToken { future.cancelToken }

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
