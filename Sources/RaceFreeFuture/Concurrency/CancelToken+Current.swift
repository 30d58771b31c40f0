// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Synchronization

extension CancelToken {
  @TaskLocal private static var bound: CancelToken?
  /// True once a token has been current anywhere.
  ///
  /// Relaxed: a thread or task with a token has stored it itself, or was started after that.
  private static let flag = Atomic(false)

  /// The token of the work that the running code is part of: that of the innermost enclosing
  /// ``CancellableWork/run(name:cancelsToken:returningEarly:fileID:line:_:)``, and ``never`` outside of these.
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
  public static var current: CancelToken { bound ?? .never }

  /// Runs code with this token as the current one.
  func bind<Result>(_ body: () throws -> Result) rethrows -> Result {
    Self.flag.store(true, ordering: .relaxed)
    return try Self.$bound.withValue(self, operation: body)
  }

  /// Runs asynchronous code with this token as the current one.
  func bind<Result: Sendable>(_ body: @Sendable () async throws -> Result) async rethrows -> Result {
    Self.flag.store(true, ordering: .relaxed)
    return try await Self.$bound.withValue(self, operation: body)
  }

  /// Runs a closure that was kept until now under no token: it isn't part of the work of the code that makes it run.
  @inline(__always)
  static func unbound<Result>(_ body: () -> Result) -> Result {
    flag.load(ordering: .relaxed) ? withoutToken(body) : body()
  }

  @inline(never)
  private static func withoutToken<Result>(_ body: () -> Result) -> Result {
    bound == nil ? body() : $bound.withValue(nil, operation: body)
  }
}
