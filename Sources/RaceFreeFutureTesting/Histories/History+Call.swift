// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

extension History {
  /// One call.
  public struct Call: Sendable {
    /// The thread that called: a number from 0.
    public let thread: Int

    /// What was called.
    public let operation: Operation

    /// What it returned; nil if it never returned.
    public let answer: Answer?

    /// When the call was made.
    public let begun: UInt64

    /// When it had returned; nil if it never did.
    ///
    /// A call that never returned may have taken effect at any time after its begin, or not at all.
    public let ended: UInt64?

    /// Whether the call takes effect after the earlier ones of its thread that keep order as well, even if it overlaps
    /// them.
    ///
    /// For calls that only put something in line, and whose effect is there at an unknown later time.
    public let keepsOrder: Bool

    /// Makes a call that returned.
    ///
    /// Times are in any unit, of one clock for the whole history; only their order counts. Calls with the same time
    /// count as overlapping. An end before its begin counts as equal to it.
    public init(
      thread: Int,
      _ operation: Operation,
      answer: Answer,
      begun: UInt64,
      ended: UInt64,
      keepsOrder: Bool = false
    ) {
      self.thread = thread
      self.operation = operation
      self.answer = answer
      self.begun = begun
      self.ended = max(begun, ended)
      self.keepsOrder = keepsOrder
    }

    /// Makes a call that never returned.
    public init(thread: Int, _ operation: Operation, begun: UInt64, keepsOrder: Bool = false) {
      self.thread = thread
      self.operation = operation
      self.answer = nil
      self.begun = begun
      self.ended = nil
      self.keepsOrder = keepsOrder
    }

    /// The same call, when it has not returned yet.
    var pending: Self { Self(thread: thread, operation, begun: begun, keepsOrder: keepsOrder) }

    /// The same call, of which nobody knows whether and with what answer it took effect, nor in which order.
    var optional: Self { Self(thread: thread, operation, begun: begun) }

    /// Whether it had returned when the other began.
    func precedes(_ other: Self) -> Bool {
      guard let ended else { return false }
      return ended < other.begun
    }

    /// For each call that keeps order the one before it, of its thread, that does as well.
    static func predecessors(in calls: [Self]) -> [Int?] {
      var last: [Int: Int] = [:]
      return calls.enumerated().map { index, call in
        call.keepsOrder ? last.updateValue(index, forKey: call.thread) : nil
      }
    }
  }
}

extension History.Call: Equatable where Operation: Equatable, Answer: Equatable {}
extension History.Call: Hashable where Operation: Hashable, Answer: Hashable {}

extension History.Call: CustomStringConvertible {
  /// Operation and answer, as in `pop() → 3`.
  public var description: String { Wording.unicode.call(operation, answer) }
}
