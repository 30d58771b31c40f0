// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

extension ValueFuture {
  /// The worker's end of a value future: its holder owes a result.
  ///
  /// When its last reference is released while the future is pending, the future is cancelled with ``AbandonedError``,
  /// so that nothing waits for a worker that is gone. Hold it only where the work is: a handler of its own future that
  /// keeps it would keep it forever.
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
    /// No handler that is registered with it may keep this completer: it would never be released.
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
    /// - Parameter error: The error. Any error is a failure, even `CancellationError`.
    public func complete(throwing error: any Error) { future.complete(throwing: error) }

    /// Completes the future with a value or an error; see ``ValueFuture/complete(with:)-(Result<Value,Failure>)``.
    ///
    /// - Parameter result: The value or the error.
    public func complete<Failure: Error>(with result: Result<Value, Failure>) { future.complete(with: result) }

    /// Completes the future with a value and returns whether this call did so; see ``ValueFuture/tryComplete(with:)``.
    ///
    /// - Parameter value: The value.
    /// - Returns: True if this call decided the outcome. Otherwise the value is still the caller's.
    @discardableResult
    public func tryComplete(with value: Value) -> Bool { future.tryComplete(with: value) }

    /// Completes the future with an error and returns whether this call did so; see
    /// ``ValueFuture/tryComplete(throwing:)``.
    ///
    /// - Parameter error: The error.
    /// - Returns: True if this call decided the outcome.
    @discardableResult
    public func tryComplete(throwing error: any Error) -> Bool { future.tryComplete(throwing: error) }
  }

  /// Creates a value future and the completer that owes it a result.
  ///
  /// - Parameters:
  ///   - label: A name for descriptions and errors.
  ///   - onUndelivered: Receives a value that is never delivered; see
  ///     ``init(label:qos:target:onUndelivered:fileID:line:)``.
  ///   - fileID: The file in which the future is created; keep the default.
  ///   - line: The line on which the future is created; keep the default.
  /// - Returns: The completer; its ``Completer/future`` is for clients.
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
