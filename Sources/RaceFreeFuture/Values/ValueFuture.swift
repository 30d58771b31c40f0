// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

public import Dispatch

/// A future that brings a value: completed with a value or an error, or cancelled.
///
/// It can be cancelled, observed, inspected and linked like all ``CancellableWork``; only its value is its own. The result is part of the
/// decision: whoever sees the outcome can have the result, and a result that came too late leaves no trace.
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
/// An error is an outcome of its own: a *failure* is a completion (result handlers run), a *cancellation* is not (only
/// the handlers of ``CancellableWork/onCancel(on:_:)-(_,()->Void)`` and
/// ``CancellableWork/onCleanUp(on:_:)-(_,()->Void)`` do). Closures that make
/// values (``map(on:label:onUndelivered:fileID:line:_:)``, ``background(qos:label:onUndelivered:fileID:line:_:)`` and so
/// on) fail by throwing; if what they throw is `CancellationError`, that is a cancellation. An error that is *given*, to
/// ``complete(throwing:)``, is a failure whatever it is.
///
/// The value itself may be `Void` or optional; `nil` is a value like any other.
///
/// A value future that is released while it is pending releases its handlers without running them, as a ``Future``
/// does; those that were made from it with ``map(on:label:onUndelivered:fileID:line:_:)`` and the like are cancelled with
/// ``AbandonedError``, because nobody could complete them any more. Use a ``Completer`` for work that may be dropped.
///
/// Copies of a value future are the same future, as two references to an object are the same object. They are equal if
/// their futures are identical.
public struct ValueFuture<Value: Sendable>: CancellableWork, Hashable {
  /// What has the outcome, the handlers and the links.
  ///
  /// Not public, and completed by nobody but this type, which always brings a `Value` or an error: so no completed value
  /// future is without a result, and nothing that reads one has to look at the type of the value.
  @usableFromInline let future: Future
  @usableFromInline let onUndelivered: (@Sendable (Value) -> Void)?
  /// What computes the value when somebody asks for it; nil: nobody has to be asked.
  let lazyWork: Job?

  /// Creates a pending value future.
  ///
  /// - Parameters:
  ///   - label: A name for descriptions, errors and the private queue; without one the future is named after the place
  ///     where it was created.
  ///   - qos: The quality of service of the private queue.
  ///   - target: The queue on which the private queue's blocks are run in the end; see
  ///     ``Future/init(label:qos:target:fileID:line:)``.
  ///   - onUndelivered: Gets each value that nobody will receive, exactly once: a value given to `complete` too late,
  ///     and one that had been accepted when the last reference to the future went before anybody had received it. A
  ///     value for which `tryComplete` returned false is still the caller's, and doesn't come here. It runs where the
  ///     value was refused or the last reference went: as a rule on the thread of that call. Values that are on their
  ///     way to a handler or a task count as received when that runs, and those in a future that was made from several
  ///     when somebody receives its value. It is kept as long as the future. The semantics are those of
  ///     `onUndeliveredElement` of Kotlin's channels.
  ///   - fileID: The file in which the future is created; keep the default.
  ///   - line: The line on which the future is created; keep the default.
  public init(
    label: String? = nil,
    qos: DispatchQoS = .unspecified,
    target: DispatchQueue? = nil,
    onUndelivered: (@Sendable (Value) -> Void)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) {
    self.init(
      Future(label: label, qos: qos, target: target, fileID: fileID, line: line),
      onUndelivered: onUndelivered
    )
  }

  init(_ future: Future, onUndelivered: (@Sendable (Value) -> Void)? = nil, lazyWork: Job? = nil) {
    self.future = future
    self.onUndelivered = onUndelivered
    self.lazyWork = lazyWork
  }

  /// Creates a pending value future that is cancelled when any of its parents is, for the same reason.
  ///
  /// Like ``Future/init(linkedTo:_:label:fileID:line:)``.
  ///
  /// - Parameters:
  ///   - parent: The work whose cancellation reaches the new future: a future, a token, an operation.
  ///   - others: More such work, of any kind.
  ///   - label: A name for descriptions and errors.
  ///   - onUndelivered: Receives a value that is never delivered; see
  ///     ``init(label:qos:target:onUndelivered:fileID:line:)``.
  ///   - fileID: The file in which the future is created; keep the default.
  ///   - line: The line on which the future is created; keep the default.
  public init(
    linkedTo parent: some CancellableWork,
    _ others: any CancellableWork...,
    label: String? = nil,
    onUndelivered: (@Sendable (Value) -> Void)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) {
    self.init(label: label, onUndelivered: onUndelivered, fileID: fileID, line: line)
    future.link(to: parent.cancelToken)
    for other in others { future.link(to: other.cancelToken) }
  }

  /// The token to hand out: everything but the value and completing.
  @inlinable
  public var cancelToken: CancelToken { CancelToken(future: future) }

  /// Whether two value futures are the same.
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
  /// The result, if the future is completed; nil while it is pending, and if it was cancelled.
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
  /// The value is left out: it may be large or secret. A snapshot of one moment. For people; its form may change.
  public var description: String {
    future.description(of: "ValueFuture<\(Value.self)>")
  }

  /// The parts of ``description``, for debuggers, `dump` and failed expectations.
  ///
  /// The value is left out here, too. A snapshot of one moment; its form may change.
  public var customMirror: Mirror { future.mirror(of: self) }
}
