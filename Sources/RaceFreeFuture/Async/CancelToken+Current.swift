// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

extension CancelToken {
  /// The token of the work that the running code is part of, by the innermost enclosing
  /// ``CancellableWork/run(name:cancelsToken:_:)``, and ``never`` outside of these.
  ///
  /// It is a task-local value: child tasks and `Task { … }` inherit it, detached tasks and blocks on queues don't.
  /// Closures that are kept to run later, such as handlers, lazy work and clean-up, run under no token, whatever code
  /// makes them run; see <doc:HandlerThreads#Which-token-is-current>. So deeply nested code needs no parameter to be
  /// cancellable, even if it is synchronous:
  ///
  /// ```swift
  /// func sum(of numbers: [Int]) throws -> Int {
  ///   try numbers.reduce(0) { sum, number in
  ///     try CancelToken.current.checkCancellation()
  ///     return sum + number
  ///   }
  /// }
  /// ```
  ///
  /// Reading it costs more than using a token at hand: for a tight loop read it once.
  public static var current: CancelToken { CurrentFuture.future?.cancelToken ?? .never }
}
