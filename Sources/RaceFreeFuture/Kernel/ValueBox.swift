// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Synchronization

/// A value on its way from the work to its receivers.
///
/// - **P1** A value is part of the decision. It is in the `Resolution`, so code that sees the outcome has the value, and
///   a value that lost is released with the decision that lost.
/// - **P2** `onUndelivered` gets a value once, and only if nothing received it. It gets it in `deinit`. Futures that pass
///   on a value (`timeout`, `race`, a joiner of shared work) pass the same object. A value that is combined from several
///   ones keeps their boxes in its own: they are received when it is.
/// - **P3** If `tryComplete` returns false, the value belongs to the caller. The caller has told so with `settle`.
/// - **P4** Nothing is received in transit. Only `receive` does so, where a user's closure or a caller gets the value.
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
