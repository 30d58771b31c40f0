// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

extension CancelToken {
  @TaskLocal static var bound: CancelToken?

  /// The token of the work that the running code is part of: that of the innermost enclosing
  /// ``CancellableWork/run(name:cancelsToken:returningEarly:fileID:line:_:)`` or ``CancellableWork/asCurrent(_:)``, and
  /// ``never`` outside of these.
  ///
  /// It is a task-local value: child tasks and `Task { … }` inherit it, detached tasks and blocks on queues don't. So
  /// deeply nested code needs no parameter to be cancellable, even if it is synchronous:
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
  public static var current: CancelToken { bound ?? .never }
}

extension CancellableWork {
  /// Runs synchronous code in which ``CancelToken/current`` is this future's token.
  ///
  /// For code that has the token as a parameter, or runs on a queue, and calls code that reads the current one. It runs
  /// at once, on the calling thread, and only stops by itself.
  ///
  /// - Parameter body: The code. It runs once, even if the future is cancelled.
  /// - Returns: The value returned by the body.
  /// - Throws: The error thrown by the body.
  public func asCurrent<Result>(_ body: () throws -> Result) rethrows -> Result {
    try CancelToken.$bound.withValue(cancelToken, operation: body)
  }
}
