// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

extension Future {
  /// The worker's end of a future: whoever holds it owes an outcome.
  ///
  /// When its last reference goes while the future is still pending, the future is cancelled with ``AbandonedError``,
  /// so that nobody waits for a worker who is gone. Hold it where the work is, and nowhere else: a handler of its own
  /// future that keeps it would keep it for ever.
  ///
  /// ```swift
  /// func measure() -> CancelToken {
  ///   let completer = Future.makeCompleter(label: "measure")
  ///   sensor.read { completer.complete() }   // if `sensor` drops this closure, the future is cancelled
  ///   return completer.future.cancelToken
  /// }
  /// ```
  public final class Completer: CancellableWork {
    /// The future that this completer completes.
    public let future: Future

    /// The token of the future.
    ///
    /// No handler that is registered with it may keep this completer: it would never go.
    @inlinable
    public var cancelToken: CancelToken { future.cancelToken }

    init(_ future: Future) {
      self.future = future
    }

    deinit {
      guard future.isPending else { return }
      // Nested, if a handler of the future holds the next completer, and so on.
      Trampoline.run { [future] in future.cancel(throwing: AbandonedError(future)) }
    }

    /// Completes the future; see ``Future/complete()``.
    public func complete() { future.complete() }

    /// Completes the future and tells whether this very call did it; see ``Future/tryComplete()``.
    ///
    /// - Returns: Whether this call decided the outcome.
    @discardableResult
    public func tryComplete() -> Bool { future.tryComplete() }
  }

  /// Makes a future and the completer that owes it an outcome.
  ///
  /// - Parameters:
  ///   - label: A name for descriptions and errors.
  ///   - fileID: Leave it out: the file in which the future is made.
  ///   - line: Leave it out: the line on which the future is made.
  /// - Returns: The completer; its ``Completer/future`` is for everybody else.
  public static func makeCompleter(
    label: String? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Completer {
    Completer(Future(label: label, fileID: fileID, line: line))
  }
}
