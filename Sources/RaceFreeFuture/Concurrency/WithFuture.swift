// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// Wraps a callback API for `async`: hands out a completer, suspends until it is used, and returns its value.
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
/// - If it never comes and its closure is dropped, this throws ``AbandonedError`` instead of waiting for ever. A request
///   that is attached and holds its closure keeps it from being dropped; see <doc:WrappingCallbacks>.
/// - If the task is cancelled, the future is cancelled: `stop` is called and this throws `CancellationError` at once,
///   whether or not the API calls back. In a task that is cancelled already, `body` isn't called.
/// - If completion and cancellation coincide, either the value is returned, or the caller of `complete` learns that it
///   came too late: by `tryComplete`, or because the value goes to `onUndelivered`.
///
/// `body` and whatever inline handlers it adds must not wait for anything that a task's cancellation may have to get
/// past: cancelling runs them on the thread that cancels, under a lock of the Swift runtime.
///
/// - Parameters:
///   - type: The type of the value; usually it is inferred.
///   - label: A name for descriptions and errors.
///   - onUndelivered: Gets a value that came too late; see
///     ``ValueFuture/init(label:qos:target:onUndelivered:fileID:line:)``.
///   - fileID: The file of the call; keep the default.
///   - line: The line of the call; keep the default.
///   - body: Starts the work, on the calling task and actor. What it throws is thrown. By the rule for all closures that
///     make values it is the failure of the future or, if it is `CancellationError`, its cancellation: so what was hooked
///     up for a cancellation is called for that one only, and what is to be done in any case belongs into `onCleanUp`. A
///     value that had been brought by then goes to `onUndelivered`.
/// - Returns: The value.
/// - Throws: The error of a failure, the reason of a cancellation, or what `body` threw.
public func withFuture<Value: Sendable>(
  of type: Value.Type = Value.self,
  label: String? = nil,
  onUndelivered: (@Sendable (Value) -> Void)? = nil,
  fileID: StaticString = #fileID,
  line: UInt = #line,
  _ body: (ValueFuture<Value>.Completer) throws -> Void
) async throws -> Value {
  let future = ValueFuture<Value>(label: label, onUndelivered: onUndelivered, fileID: fileID, line: line)
  // In a task that is cancelled already the handler runs first.
  return try await withTaskCancellationHandler {
    try future.handToCompleter(body)
    // The task's cancellation resolves the future, so there is no other reason to leave.
    return try await future.future.resolved.get(Value.self)
  } onCancel: {
    future.cancel()
  }
}

extension ValueFuture {
  /// Lets the body start the work, unless the task was cancelled before.
  ///
  /// A function of its own, so that nothing here keeps the completer while the task waits for it.
  fileprivate func handToCompleter(_ body: (Completer) throws -> Void) throws {
    guard !isCancelled else { return }
    let completer = Completer(self)
    // Until the error has taken its effect: whoever throws has not dropped the work.
    defer { withExtendedLifetime(completer) {} }
    do {
      try body(completer)
    } catch {
      // If it has its outcome the error isn't lost: the caller gets it.
      if isPending { end(throwing: error) }
      throw error
    }
  }
}
