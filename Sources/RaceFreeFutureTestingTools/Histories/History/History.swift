// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// Calls of several threads to one object, with their answers and the times at which they began and ended.
///
/// Record one with a ``Recorder``, or write it in a test. Its calls are checked by ``verdict(against:budget:)`` and
/// ``checkLinearizability(_:of:against:budget:fileID:filePath:line:column:)``.
public struct History<Operation: Sendable, Answer: Sendable>: Sendable {
  /// The calls, in any order; those of one thread in the order in which they began.
  public var calls: [Call]

  /// Creates a history.
  public init(_ calls: [Call] = []) { self.calls = calls }
}

extension History: Equatable where Operation: Equatable, Answer: Equatable {}
extension History: Hashable where Operation: Hashable, Answer: Hashable {}

extension History: CustomStringConvertible {
  /// A diagram of the calls along the time, and a list of them.
  public var description: String { Timeline(self).description }
}
