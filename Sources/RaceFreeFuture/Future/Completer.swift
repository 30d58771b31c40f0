// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The worker's end of a future: its holder owes an outcome.
///
/// When its last reference is released while the future is pending, the future is cancelled with ``AbandonedError``,
/// so that nothing waits for a worker that is gone. Hold it only where the work is: a handler of its own future would
/// keep it forever.
///
/// ```swift
/// func measure(_ read: (@escaping @Sendable (Double) -> Void) -> Void) -> ValueFuture<Double> {
///   let completer = ValueFuture<Double>.makeCompleter(label: "measure")
///   read { completer.complete(with: $0) }  // if `read` drops this closure, the future is cancelled
///   return completer.future
/// }
/// ```
///
/// `Work` is ``Future`` or a ``ValueFuture``.
public final class Completer<Work: CancellableWork>: CancellableWork {
  /// The future that this completer completes.
  public let future: Work

  /// The token of the future.
  ///
  /// No handler that is registered with it may keep this completer: it would never be released.
  @inlinable
  public var cancelToken: CancelToken { future.cancelToken }

  init(_ future: Work) {
    self.future = future
  }

  deinit {
    guard future.isPending else { return }
    // Nested, if a handler of the future holds the next completer, and so on.
    Trampoline.run { [future = future.cancelToken.future] in
      future.cancel(throwing: AbandonedError(origin: future.origin))
    }
  }
}

extension Completer where Work == Future {
  /// Completes the future; see ``Future/complete()``.
  public func complete() { future.complete() }

  /// Completes the future and returns whether this call did so; see ``Future/tryComplete()``.
  ///
  /// - Returns: True if this call decided the outcome.
  @discardableResult
  public func tryComplete() -> Bool { future.tryComplete() }
}

extension Future {
  /// Creates a future and the completer that owes it an outcome.
  ///
  /// - Parameter label: A name for descriptions and errors.
  /// - Returns: The completer; its ``Completer/future`` is for clients.
  public static func makeCompleter(
    label: String? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Completer<Future> {
    Completer(Future(label: label, fileID: fileID, line: line))
  }
}
