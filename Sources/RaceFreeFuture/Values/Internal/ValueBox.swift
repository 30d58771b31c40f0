// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Synchronization

/// The value that some work brought, on its way to those who asked for it.
///
/// It travels inside a `Resolution`: so whoever sees the outcome has the value, a value that lost goes with the
/// decision that lost, and futures that pass a value on (`timeout`, `race`, a joiner of shared work) pass this very
/// object. When its last reference goes and nobody has received it, its value is handed to `onUndelivered`. That is why
/// a value is handed over at most once, and never both received and handed over.
///
/// What is combined from several values keeps their boxes in its own: they are received when it is.
///
/// `@unchecked Sendable` only because its superclass is: all that it holds is `Sendable`.
@usableFromInline
final class ValueBox<Value: Sendable>: AnyValueBox, @unchecked Sendable {
  fileprivate let value: Value
  private let sender: Sender
  /// Whether somebody has the value.
  ///
  /// Relaxed is enough: `deinit` comes after every use of the object, by the order that reference counting makes.
  private let isReceived = Atomic(false)

  /// Who wants to know what became of the value.
  private enum Sender {
    case nobody
    /// Gets it if nobody has received it.
    case onUndelivered(@Sendable (Value) -> Void)
    /// Those whose values it was combined from.
    case parts([AnyValueBox])
  }

  @usableFromInline
  init(_ value: Value, onUndelivered: (@Sendable (Value) -> Void)? = nil) {
    self.value = value
    if let onUndelivered { sender = .onUndelivered(onUndelivered) } else { sender = .nobody }
    super.init()
  }

  /// A box with a value that was combined from others.
  init(_ value: Value, of parts: [AnyValueBox]) {
    self.value = value
    sender = parts.isEmpty ? .nobody : .parts(parts)
    super.init()
  }

  deinit {
    if case .onUndelivered(let handler) = sender, !isReceived.load(ordering: .relaxed) { handler(value) }
  }

  override var isTracked: Bool {
    if case .nobody = sender { false } else { true }
  }

  override func settle() {
    switch sender {
    case .nobody: break
    case .onUndelivered: isReceived.store(true, ordering: .relaxed)
    case .parts(let parts): for part in parts { part.settle() }
    }
  }

  /// Hands the value to somebody.
  func receive() -> Value {
    settle()
    return value
  }
}

/// A box whose type isn't known.
///
/// `@unchecked Sendable`: it has no state, and no subclass but `ValueBox`.
@usableFromInline
class AnyValueBox: @unchecked Sendable {
  fileprivate init() {}

  /// Whether anybody wants to know what becomes of the value.
  var isTracked: Bool { false }

  /// Somebody has the value: whoever received it, or the sender, who was told so.
  func settle() {}
}

extension Resolution {
  /// What a closure of the user came to: thrown, `CancellationError` is a cancellation and everything else a failure.
  static func catching<Value: Sendable>(
    onUndelivered: (@Sendable (Value) -> Void)? = nil,
    _ body: () throws -> Value
  ) -> Resolution {
    do {
      return .delivered(ValueBox(try body(), onUndelivered: onUndelivered))
    } catch {
      return .thrown(error)
    }
  }

  /// The same for asynchronous closures.
  static func catching<Value: Sendable>(
    onUndelivered: (@Sendable (Value) -> Void)?,
    _ body: () async throws -> Value
  ) async -> Resolution {
    do {
      return .delivered(ValueBox(try await body(), onUndelivered: onUndelivered))
    } catch {
      return .thrown(error)
    }
  }

  /// What the values of several resolutions are combined to; they are received with it, so `body` mustn't.
  static func combining<Value: Sendable>(_ parts: [Resolution], _ body: () throws -> Value) -> Resolution {
    do {
      return .delivered(ValueBox(try body(), of: parts.compactMap(\.trackedBox)))
    } catch {
      return .failed(error)
    }
  }

  private var trackedBox: AnyValueBox? {
    guard case .delivered(let box) = self, box.isTracked else { return nil }
    return box
  }

  /// What it means that a closure of the user's has thrown: `CancellationError` cancels, every other error fails.
  ///
  /// The one place of this rule. An error that was *given*, to `complete(throwing:)`, is a failure whatever it is.
  static func thrown(_ error: any Error) -> Resolution {
    error is CancellationError ? .cancelled(error) : .failed(error)
  }

  /// Receives the result for somebody; nil if it is a cancellation.
  func receive<Value: Sendable>(_ type: Value.Type) -> Result<Value, any Error>? {
    outcome == .completed ? Result { try get(type) } : nil
  }

  /// Receives the value for somebody, or only looks at it; throws the error or the reason.
  ///
  /// It is asked of the resolution of a `ValueFuture` of this type, and of nothing else.
  func get<Value: Sendable>(_ type: Value.Type, receiving: Bool = true) throws -> Value {
    switch self {
    case .cancelled(let error), .failed(let error): throw error
    case .cascaded(let cascade): throw cascade.reason
    case .delivered(let box):
      // The future of a value future is completed by that alone, with such a box (`ValueFuture.future`), or takes
      // over one of the same type from a future that it was made from. A cast would look up the generic class.
      let box = unsafe unsafeDowncast(box, to: ValueBox<Value>.self)
      return receiving ? box.receive() : box.value
    case .completed:
      fatalError("a value future was completed without a value")
    }
  }
}
