// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

extension CancelToken {
  @TaskLocal static var bound: CancelToken?

  /// The token of the work that the running code is part of: the one whose
  /// ``CancellableWork/run(name:cancelsToken:returningEarly:fileID:line:_:)`` or ``CancellableWork/asCurrent(_:)`` is the
  /// innermost, and ``never`` outside of all.
  ///
  /// It is a task-local value: child tasks and `Task { … }` take it over, detached tasks and blocks on queues don't. So
  /// code far down needs no parameter to be stopped in its midst, also if it is synchronous:
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
  /// A look at it costs more than one at a token that one has: for a tight loop ask for it once.
  public static var current: CancelToken { bound ?? .never }
}

extension CancellableWork {
  /// Runs synchronous code in which ``CancelToken/current`` is this future's token.
  ///
  /// For code that was started with a parameter, or on a queue, and calls what asks for the current one. It runs at once,
  /// on the calling thread, and isn't stopped but by itself.
  ///
  /// - Parameter body: Runs once, also if the future is cancelled.
  /// - Returns: What the body returned.
  /// - Throws: What the body threw.
  public func asCurrent<Result>(_ body: () throws -> Result) rethrows -> Result {
    try CancelToken.$bound.withValue(cancelToken, operation: body)
  }
}
