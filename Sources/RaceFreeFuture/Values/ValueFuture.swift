// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

public import Dispatch

/// A future with a value: completed with a value or an error, or cancelled.
///
/// It can be cancelled, observed, inspected and linked like all ``CancellableWork``; only its value is its own. The
/// result is part of the decision: code that sees the outcome can read the result, and a result that came too late
/// leaves no trace.
///
/// ```swift
/// func load(_ path: String, from api: FileAPI) -> ValueFuture<String> {
///   let file = ValueFuture<String>(label: path)
///   file.attach {
///     api.read(path) { file.complete(with: $0) }
///   } stop: { request in
///     request.cancel()
///   }
///   return file
/// }
///
/// let text = load("notes.txt", from: api).map { $0.uppercased() }
/// text.onValue(on: .main) { print($0) }   // or: try await text.value, try text.wait()
/// text.cancel()                           // stops the request, and nothing is printed
/// ```
///
/// An error isn't a cancellation: a *failure* is a completion (result handlers run), a *cancellation* is not (only the
/// handlers of ``CancellableWork/onCancel(on:_:)-(_,()->Void)`` and ``CancellableWork/onCleanUp(on:_:)-(_,()->Void)``
/// do). Closures that make values (``map(on:label:onUndelivered:fileID:line:_:)``,
/// ``background(qos:label:onUndelivered:fileID:line:_:)`` and so on) fail by throwing; throwing `CancellationError` is
/// a cancellation. Any error that is *passed* to ``complete(throwing:)`` is a failure.
///
/// The value itself may be `Void` or optional; `nil` is a value like any other.
///
/// A value future that is released while it is pending releases its handlers without running them, as a ``Future``
/// does; those created from it with ``map(on:label:onUndelivered:fileID:line:_:)`` and the like are cancelled with
/// ``AbandonedError``, because nothing can complete them any more. Use a ``Completer`` for work that may be dropped.
///
/// Copies of a value future are the same future, like two references to one object. Value futures are equal if their
/// futures are identical.
public struct ValueFuture<Value: Sendable>: CancellableWork, Hashable {
  /// The future that has the outcome, the handlers and the links.
  ///
  /// Not public, and completed only by this type, always with a `Value` or an error: so every completed value future
  /// has a result, and code that reads one needn't check the type of the value.
  @usableFromInline let future: Future
  @usableFromInline let onUndelivered: (@Sendable (Value) -> Void)?
  /// The work that computes the value when it is requested; nil if the future isn't lazy.
  let lazyWork: Job?

  /// Creates a pending value future, which is cancelled when any of its parents is, for the same reason.
  ///
  /// - Parameters:
  ///   - parents: The work whose cancellation reaches the new future: futures, tokens, operations; see
  ///     ``CancellableWork/init(linkedTo:_:label:fileID:line:)``. Without any, leave out the argument.
  ///   - label: A name for descriptions, errors and the private queue; without one the future is named after the place
  ///     where it was created.
  ///   - target: The queue on which the blocks of the private queue finally run; see
  ///     ``Future/init(label:target:fileID:line:)``.
  ///   - onUndelivered: Receives each value that is never delivered, exactly once: a value passed to `complete` too
  ///     late, and an accepted one if the last reference to the future is released before the value was received. A
  ///     value for which `tryComplete` returned false is still the caller's, and isn't passed here. The closure runs
  ///     where the value was refused or the last reference released: as a rule on the thread of that call. A value on
  ///     its way to a handler or a task counts as received when the handler or task runs; a value in a future created
  ///     from several counts as received when that future's value is. The closure is kept as long as the future.
  ///     Kotlin's channels have the same as `onUndeliveredElement`.
  public init(
    linkedTo parents: any CancellableWork...,
    label: String? = nil,
    target: DispatchQueue? = nil,
    onUndelivered: (@Sendable (Value) -> Void)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) {
    self.init(Future(label: label, target: target, fileID: fileID, line: line), onUndelivered: onUndelivered)
    for parent in parents { future.link(to: parent.cancelToken) }
  }

  init(_ future: Future, onUndelivered: (@Sendable (Value) -> Void)? = nil, lazyWork: Job?) {
    self.future = future
    self.onUndelivered = onUndelivered
    self.lazyWork = lazyWork
  }

  @usableFromInline
  init(_ future: Future, onUndelivered: (@Sendable (Value) -> Void)? = nil) {
    self.init(future, onUndelivered: onUndelivered, lazyWork: nil)
  }

  /// The token for clients: everything but the value and completing.
  @inlinable
  public var cancelToken: CancelToken { CancelToken(future: future) }

  /// Returns a Boolean value that indicates whether two value futures are the same.
  public static func == (left: ValueFuture, right: ValueFuture) -> Bool {
    left.future === right.future
  }

  /// Hashes the identity of the future.
  ///
  /// - Parameter hasher: The hasher to use.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(future))
  }
}

// MARK: - Poll

extension ValueFuture {
  /// The result, if the future is completed; nil while it is pending, or if it was cancelled.
  ///
  /// Never blocks, and doesn't start a lazy future. Reading a value counts as receiving it.
  public var result: Result<Value, any Error>? {
    future.resolution?.receive(Value.self)
  }
}

// MARK: - Describe

extension ValueFuture: CustomStringConvertible, CustomReflectable {
  /// The label or the place where the future was created, its state, the error or reason, and the number of waiting
  /// handlers.
  ///
  /// The value is omitted: it may be large or secret. A snapshot, meant for people to read; the format may change.
  public var description: String {
    future.description(of: "ValueFuture<\(Value.self)>")
  }
}
