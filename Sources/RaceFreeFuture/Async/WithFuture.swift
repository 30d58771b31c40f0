// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// Wraps a callback API for `async`: passes a completer to a closure, suspends until it is used, and returns its value.
///
/// ```swift
/// func read(_ path: String, from api: FileAPI) async throws -> String {
///   try await withFuture(label: path) { completer in
///     completer.attach {
///       api.read(path) { completer.complete(with: $0) }
///     } stop: { request in
///       request.cancel()
///     }
///   }
/// }
/// ```
///
/// - The callback may come before `body` returns, later, several times, or on several threads: the first call wins.
/// - If it never comes and its closure is dropped, this throws ``AbandonedError`` instead of waiting forever. A request
///   that is attached and holds its closure keeps it from being dropped; see <doc:WrappingCallbacks>.
/// - If the task is cancelled, the future is cancelled: `stop` is called and this throws `CancellationError` at once,
///   even if the API never calls back. In a task that is already cancelled, `body` isn't called.
/// - If completion and cancellation coincide, either the value is returned, or the caller of `complete` is told that it
///   came too late: by `tryComplete`, or because the value goes to `onUndelivered`.
///
/// `body` and all inline handlers it adds must not wait for a lock or queue that another cancellation handler may hold:
/// cancelling runs them on the thread that cancels, under a lock of the Swift runtime.
///
/// - Parameters:
///   - type: The type of the value; usually it is inferred.
///   - label: A name for descriptions and errors.
///   - onUndelivered: Receives a value that came too late; see
///     ``ValueFuture/init(linkedTo:label:target:onUndelivered:fileID:line:)``.
///   - body: Starts the work, on the calling task and actor. An error that it throws is rethrown. As with all closures
///     that make values, the error is the failure of the future or, if it is `CancellationError`, its cancellation: so
///     cancellation handlers are called only in the latter case, and work for both cases belongs in `onCleanUp`. A
///     value that was already passed to the completer goes to `onUndelivered`.
/// - Returns: The value.
/// - Throws: The error of a failure, the reason of a cancellation, or the error thrown by `body`.
public func withFuture<Value: Sendable>(
  of type: Value.Type = Value.self,
  label: String? = nil,
  onUndelivered: (@Sendable (Value) -> Void)? = nil,
  fileID: StaticString = #fileID,
  line: UInt = #line,
  _ body: (Completer<ValueFuture<Value>>) throws -> Void
) async throws -> Value {
  let future = ValueFuture<Value>(label: label, onUndelivered: onUndelivered, fileID: fileID, line: line)
  // In a task that is already cancelled the handler runs first.
  return try await withTaskCancellationHandler {
    try future.handToCompleter(body)
    // The task's cancellation resolves the future, so the wait has no other way to end.
    return try await future.future.resolved.get(Value.self)
  } onCancel: {
    future.cancel()
  }
}

/// Wraps a callback API without a result for `async`.
///
/// ```swift
/// try await withFuture(label: "save") { completer in
///   store.save(text) { error in
///     if let error { completer.complete(throwing: error) } else { completer.complete() }
///   }
/// }
/// ```
///
/// Otherwise like ``withFuture(of:label:onUndelivered:fileID:line:_:)``.
///
/// - Parameters:
///   - label: A name for descriptions and errors.
///   - body: Starts the work, on the calling task and actor. An error that it throws is rethrown.
/// - Throws: The error of a failure, the reason of a cancellation, or the error thrown by `body`.
public func withFuture(
  label: String? = nil,
  fileID: StaticString = #fileID,
  line: UInt = #line,
  _ body: (Completer<ValueFuture<Void>>) throws -> Void
) async throws {
  try await withFuture(of: Void.self, label: label, fileID: fileID, line: line, body)
}

extension ValueFuture {
  /// Calls the body to start the work, unless the task was cancelled earlier.
  ///
  /// A separate function, so that nothing here keeps the completer while the task waits for it.
  fileprivate func handToCompleter(_ body: (Completer<ValueFuture>) throws -> Void) throws {
    guard !isCancelled else { return }
    let completer = Completer(self)
    // Until the error has taken effect: a body that throws has not dropped the work.
    defer { withExtendedLifetime(completer) {} }
    do {
      try body(completer)
    } catch {
      // If there is already an outcome the error isn't lost: the caller gets it.
      if isPending { end(throwing: error) }
      throw error
    }
  }
}
