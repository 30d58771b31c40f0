// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

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
