// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

extension History {
  /// One call.
  public struct Call: Sendable {
    /// The thread that called: a number from 0.
    public let thread: Int

    /// The operation that was called.
    public let operation: Operation

    /// The answer; nil if the call never returned.
    public let answer: Answer?

    /// The time at which the call began.
    public let begun: UInt64

    /// The time at which the call had returned; nil if it never did.
    ///
    /// A call that never returned may have taken effect at any time after its begin, or not at all.
    public let ended: UInt64?

    /// True if the call takes effect after its thread's earlier calls that keep order as well, even if it overlaps
    /// them.
    ///
    /// For calls that only queue something, and take effect at an unknown later time.
    public let keepsOrder: Bool

    /// Makes a call that returned.
    ///
    /// Times are in any unit, of one clock for the whole history; only their order counts. Calls with the same time
    /// count as overlapping. An end before the begin counts as equal to it.
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

    /// The same call, as one that has not returned yet.
    var pending: Self { Self(thread: thread, operation, begun: begun, keepsOrder: keepsOrder) }

    /// The same call, as one whose effect, answer and order are unknown.
    var optional: Self { Self(thread: thread, operation, begun: begun) }

    /// Returns the same call with another beginning.
    func begun(at time: UInt64) -> Self {
      guard let answer, let ended else { return Self(thread: thread, operation, begun: time, keepsOrder: keepsOrder) }
      return Self(thread: thread, operation, answer: answer, begun: time, ended: ended, keepsOrder: keepsOrder)
    }

    /// Returns true if the call had returned when the other began.
    func precedes(_ other: Self) -> Bool {
      guard let ended else { return false }
      return ended < other.begun
    }

    /// Returns for each call that keeps order the previous one of its thread that keeps order as well.
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
