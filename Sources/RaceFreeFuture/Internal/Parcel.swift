// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Synchronization

/// The result of some work, on its way to those who asked for it.
///
/// It travels inside a `Resolution`: so whoever sees the outcome has the result, a result that lost goes with the
/// decision that lost, and futures that pass a result on (`timeout`, `race`, a joiner of shared work) pass this very
/// object. When its last reference goes and nobody has received it, its value is handed to `onUndelivered`. That is why
/// a value is handed over at most once, and never both received and handed over.
final class Parcel<Value: Sendable>: Sendable {
  private let result: Result<Value, any Error>
  private let onUndelivered: (@Sendable (Value) -> Void)?
  /// Whether somebody has the value.
  ///
  /// Relaxed is enough: `deinit` comes after every use of the object, by the order that reference counting makes.
  private let isReceived = Atomic(false)

  init(_ result: Result<Value, any Error>, onUndelivered: (@Sendable (Value) -> Void)? = nil) {
    self.result = result
    self.onUndelivered = onUndelivered
  }

  deinit {
    if let onUndelivered, !isReceived.load(ordering: .relaxed), case .success(let value) = result {
      onUndelivered(value)
    }
  }

  /// Hands the result to somebody.
  func receive() -> Result<Value, any Error> {
    if onUndelivered != nil { isReceived.store(true, ordering: .relaxed) }
    return result
  }

  /// The sender was told that it still has the value.
  func returnToSender() {
    isReceived.store(true, ordering: .relaxed)
  }

  /// Whether it brings an error.
  var failure: (any Error)? {
    if case .failure(let error) = result { error } else { nil }
  }
}

extension Resolution {
  /// A completion that brings a result.
  static func delivered<Value: Sendable>(_ result: Result<Value, any Error>) -> Resolution {
    .delivered(Parcel(result))
  }

  /// What a closure of the user came to: thrown, `CancellationError` is a cancellation and everything else a failure.
  static func catching<Value: Sendable>(
    onUndelivered: (@Sendable (Value) -> Void)? = nil,
    _ body: () throws -> Value
  ) -> Resolution {
    do {
      return .delivered(Parcel(.success(try body()), onUndelivered: onUndelivered))
    } catch {
      return .thrown(error, instead: Value.self)
    }
  }

  /// The same for asynchronous closures.
  static func catching<Value: Sendable>(
    onUndelivered: (@Sendable (Value) -> Void)?,
    _ body: () async throws -> Value
  ) async -> Resolution {
    do {
      return .delivered(Parcel(.success(try await body()), onUndelivered: onUndelivered))
    } catch {
      return .thrown(error, instead: Value.self)
    }
  }

  static func thrown<Value: Sendable>(_ error: any Error, instead: Value.Type) -> Resolution {
    error is CancellationError ? .cancelled(error) : .delivered(Result<Value, any Error>.failure(error))
  }

  /// Receives the result for somebody; nil if it is a cancellation.
  ///
  /// A completion without a value of this type counts as a failure, except for `Void`.
  func receive<Value: Sendable>(_ type: Value.Type) -> Result<Value, any Error>? {
    outcome == .completed ? Result { try get(type) } : nil
  }

  /// Receives the value for somebody, or throws the error or the reason.
  func get<Value: Sendable>(_ type: Value.Type) throws -> Value {
    switch self {
    case .cancelled(let reason): throw reason
    case .delivered(let parcel as Parcel<Value>): return try parcel.receive().get()
    case .delivered, .completed:
      guard let void = () as? Value, type == Void.self else { throw MissingValueError() }
      return void
    }
  }

  /// The error of a failure, without receiving anything.
  func failure<Value: Sendable>(of type: Value.Type) -> (any Error)? {
    if case .delivered(let parcel as Parcel<Value>) = self { parcel.failure } else { nil }
  }
}
