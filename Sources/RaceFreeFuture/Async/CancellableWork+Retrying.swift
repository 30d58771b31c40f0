// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// MARK: - Try again

extension CancellableWork {
  /// Runs asynchronous code until it succeeds, with a pause after each failure, until this future is cancelled.
  ///
  /// ```swift
  /// let request = Future(label: "request")
  /// request.cancel(after: .seconds(30))
  /// let page = try await request.retry(leaving: .seconds(1), if: { !($0 is DecodingError) }) {
  ///   try await fetch(url)
  /// }
  /// ```
  ///
  /// Each attempt is made by ``run(name:cancelsToken:_:)``. The pauses have a limit that doubles with each failure
  /// (exponential backoff), and are a random part of it, a half at least (jitter), so that clients which have failed together
  /// don't come back together.
  ///
  /// A cancellation of this future or of the calling task ends an attempt or a pause, is thrown, and nothing is attempted
  /// any more. If the ``deadline`` leaves too little time for a pause and another attempt, the last error is thrown at once.
  ///
  /// - Parameters:
  ///   - attempts: The largest number of attempts. If it is less than 1, the program stops.
  ///   - shortest: The limit of the first pause.
  ///   - longest: The limit of all pauses.
  ///   - least: The time that an attempt takes at least.
  ///   - random: Returns a random number of a range; by default one of the system's generator. A test passes
  ///     `{ .random(in: $0, using: &generator) }`.
  ///   - mayGoAway: Returns true for an error after which another attempt makes sense; by default for all. It isn't asked
  ///     about `CancellationError`.
  ///   - operation: The code of an attempt.
  /// - Returns: The value returned by the first attempt that succeeds.
  /// - Throws: The error of the last attempt, or the reason of a cancellation.
  public func retry<Value: Sendable>(
    attempts: Int = 5,
    pausing shortest: Duration = .seconds(1),
    upTo longest: Duration = .seconds(30),
    leaving least: Duration = .zero,
    random: (ClosedRange<Double>) -> Double = { .random(in: $0) },
    if mayGoAway: (_ error: any Error) -> Bool = { _ in true },
    _ operation: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    guard attempts >= 1 else { fatalError("no attempt is made if there are to be \(attempts)") }
    var (left, most) = (attempts, min(shortest, longest))
    while true {
      do {
        return try await run {
          // The cancellation may have come before this task began.
          try Task.checkCancellation()
          return try await operation()
        }
      } catch {
        // A cancellation is the end, whatever the attempt made of it.
        try checkCancellation()
        try Task.checkCancellation()
        left -= 1
        guard left > 0, !(error is CancellationError), mayGoAway(error) else { throw error }
        let pause = most * random(0.5...1)
        // The next attempt couldn't finish.
        if let deadline, Deadline.now + pause + least > deadline { throw error }
        try await run { try await Future.completing(after: pause).ownedValue }
        most = min(most * 2, longest)
      }
    }
  }
}
