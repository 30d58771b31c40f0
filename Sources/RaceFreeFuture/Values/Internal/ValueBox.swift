// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Synchronization

/// A value on its way from the work to its receivers.
///
/// - **P1** A value is part of the decision: it is in the `Resolution`. So code that sees the outcome has the value, and
///   a value that lost is released with the decision that lost.
/// - **P2** `onUndelivered` gets a value once, and only if nothing received it: in `deinit`. Futures that pass on a value
///   (`timeout`, `race`, a joiner of shared work) pass the same object. A value that is combined from several ones keeps
///   their boxes in its own: they are received when it is.
/// - **P3** If `tryComplete` returns false, the value belongs to the caller, who has told so with `settle`.
/// - **P4** Nothing is received in transit: only `Resolution.get` receives, where a user's closure or a caller gets the
///   value.
///
/// `@unchecked Sendable` only because its superclass is: all its contents are `Sendable`.
@usableFromInline
final class ValueBox<Value: Sendable>: AnyValueBox, @unchecked Sendable {
  fileprivate let value: Value
  private let sender: Sender
  /// True if the value has been received.
  ///
  /// Relaxed is enough: `deinit` comes after every use of the object, by the order of reference counting.
  private let isReceived = Atomic(false)

  /// The sender, which is told whether the value was received.
  private enum Sender {
    case nobody
    /// A closure that gets the value if it hasn't been received.
    case onUndelivered(@Sendable (Value) -> Void)
    /// The boxes of the values it was combined from.
    case parts([AnyValueBox])
  }

  @usableFromInline
  init(_ value: Value, onUndelivered: (@Sendable (Value) -> Void)? = nil) {
    self.value = value
    if let onUndelivered { sender = .onUndelivered(onUndelivered) } else { sender = .nobody }
    super.init()
  }

  /// Creates a box with a value that was combined from others.
  init(_ value: Value, of parts: [AnyValueBox]) {
    self.value = value
    sender = parts.isEmpty ? .nobody : .parts(parts)
    super.init()
  }

  deinit {
    guard case .onUndelivered(let handler) = sender, !isReceived.load(ordering: .relaxed) else { return }
    CurrentFuture.runOutside { handler(value) }  // P2
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

  /// Returns the value, which counts as received.
  @usableFromInline
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

  /// True if a sender is told whether the value was received.
  var isTracked: Bool { false }

  /// Notes that the value has an owner: a receiver, or the sender, which was told so (P3).
  func settle() {}

  /// Returns the value, which counts as received; called only for a box with a value of this type.
  @inlinable
  final func receive<Value: Sendable>(_ type: Value.Type) -> Value {
    // The future of a value future is completed only by that, with such a box (`ValueFuture.future`), or gets one of
    // the same type from a future that it was created from. A cast would look up the generic class.
    unsafe unsafeDowncast(self, to: ValueBox<Value>.self).receive()
  }

  /// Returns the value, which doesn't count as received; otherwise like `receive`.
  final func peek<Value: Sendable>(_ type: Value.Type) -> Value {
    unsafe unsafeDowncast(self, to: ValueBox<Value>.self).value
  }
}

extension Resolution {
  /// The resolution by a user's closure: a thrown `CancellationError` is a cancellation and every other error a
  /// failure.
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

  /// The combination of the values of several resolutions; they are received with it, so `body` must not receive them (P4).
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

  /// The resolution for an error thrown by a user's closure: `CancellationError` cancels, every other error fails.
  ///
  /// The one place of this rule. Any error that is *passed* to `complete(throwing:)` is a failure.
  static func thrown(_ error: any Error) -> Resolution {
    error is CancellationError ? .cancelled(error) : .failed(error)
  }

  /// Receives the result; nil if it is a cancellation.
  func receive<Value: Sendable>(_ type: Value.Type) -> Result<Value, any Error>? {
    outcome == .completed ? Result { try get(type) } : nil
  }

  /// Receives the value, or only reads it; throws the error or the reason.
  ///
  /// It is called only for the resolution of a `ValueFuture` of this type.
  func get<Value: Sendable>(_ type: Value.Type, receiving: Bool = true) throws -> Value {
    switch self {
    case .cancelled(let error), .failed(let error): throw error
    case .cascaded(let cascade): throw cascade.reason
    case .delivered(let box):
      return receiving ? box.receive(type) : box.peek(type)
    case .completed:
      fatalError("a value future was completed without a value")
    }
  }
}
