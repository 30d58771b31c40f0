// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// MARK: - Complete after a delay

extension ValueFuture {
  /// Creates a future that completes with a value after an interval, unless it is resolved earlier.
  ///
  /// Like ``Future/completing(after:label:fileID:line:)``; see there.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - interval: The interval.
  ///   - label: A name for descriptions and errors.
  /// - Returns: The new future.
  public static func completing(
    with value: Value,
    after interval: Duration,
    label: String? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> ValueFuture {
    let future = ValueFuture(label: label, fileID: fileID, line: line)
    future.future.wait(for: interval) { $0.decide(.delivered(ValueBox(value, onUndelivered: nil))) }
    return future
  }
}
