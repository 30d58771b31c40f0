// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

public import Dispatch

/// A variable whose initial value is computed in the background: at once, on a global queue, while the program
/// continues.
///
/// ```swift
/// @Background var sky = renderSky()
/// @Background(qos: .userInitiated) var sea = renderSea()
/// compose(sky, sea)   // both were rendered at the same time; reading waits for the rest
/// ```
///
/// Reading it waits for the value, like ``Implicit/value``: it blocks the calling thread, and after a cancellation
/// (with `$sky.cancel()`) gives nil for an optional value and stops the program for any other. In asynchronous
/// functions write `try await $sky.value`. Copies share the work. The initial value can't throw; for work that may fail
/// use ``ValueFuture/background(qos:label:onUndelivered:fileID:line:_:)``.
@propertyWrapper
public struct Background<Value: Sendable>: Sendable {
  private var content: Implicit<Value>

  /// Starts computing the value.
  ///
  /// - Parameters:
  ///   - wrappedValue: Computes the value, once.
  ///   - qos: The quality of service of the global queue.
  ///   - label: A name for descriptions and messages.
  public init(
    wrappedValue: @autoclosure @escaping @Sendable () -> Value,
    qos: DispatchQoS.QoSClass = .default,
    label: String? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) {
    content = Implicit(
      .background(qos: qos, label: label, fileID: fileID, line: line) { _ in wrappedValue() }
    )
  }

  /// The value; reading it blocks the calling thread until it is available.
  ///
  /// Setting the value replaces the work; the work continues, as a copy or ``projectedValue`` may still need it.
  public var wrappedValue: Value {
    get { content.value }
    set { content = Implicit(.completed(with: newValue)) }
  }

  /// The future of the value, to await or cancel it.
  public var projectedValue: ValueFuture<Value> { content.future }
}
