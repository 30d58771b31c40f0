// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// Runs asynchronous code that no cancellation reaches, neither the calling task's nor a token's, and waits for its end:
/// for clean-up that has to be over before its caller goes on.
///
/// ```swift
/// func transaction(on connection: Connection) async throws {
///   try await connection.execute("begin")
///   do {
///     try await transfer(on: connection)
///     try await connection.execute("commit")
///   } catch {
///     // Also in cancelled work: no transaction stays open.
///     try? await withCancellationShield { try await connection.execute("rollback") }
///     throw error
///   }
/// }
/// ```
///
/// In the body `Task.isCancelled` is false, cancellation handlers aren't called, and ``CancelToken/current`` is
/// ``CancelToken/never``, whatever was or is cancelled outside; after it, all is as before. What the body itself starts and
/// cancels works as usual. The call ends with the body and not earlier, so give the body a limit of its own if it may take
/// long: ``CancellableWork/run(name:cancelsToken:_:)`` of a future with a deadline.
///
/// The body runs on the caller's actor, with its task-local values and at its priority, in a task of its own: a preference for
/// a task executor isn't passed on. The semantics are those of `withTaskCancellationShield`, which Swift has from version 6.4.
///
/// - Parameters:
///   - isolation: The actor on which the body runs; keep the default.
///   - body: The code. It is called once.
/// - Returns: The value returned by the body.
/// - Throws: The error thrown by the body.
@discardableResult
public func withCancellationShield<Value, Failure: Error>(
  isolation: isolated (any Actor)? = #isolation,
  _ body: () async throws(Failure) -> Value
) async throws(Failure) -> Value {
  // Safe: no two threads have the body, or the result, at the same time. The caller is suspended until the task has ended,
  // and the start and the end of a task order what is before them and after them. So the body doesn't escape, either.
  nonisolated(unsafe) var result: Result<Value, Failure>?
  await withoutActuallyEscaping(body) { body in
    nonisolated(unsafe) let body = body
    await Task {
      // It has the isolation that it captures.
      _ = isolation
      await CurrentFuture.runOutside {
        do throws(Failure) {
          unsafe result = .success(try await body())
        } catch {
          unsafe result = .failure(error)
        }
      }
    }.value
  }
  guard let result = unsafe result else { fatalError("the task of a shield ended without a result") }
  return try result.get()
}
