// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// Something that a user may want to know, and the rows that answer it.
///
/// Each has a file of its own in the folder `Questions`.
struct Question {
  let name: String
  let asks: String
  var rows: [Row]

  /// The rows that contain the text, or all if the question contains it; nil if there is none.
  func filtered(by text: String?) -> Question? {
    guard let text = text?.lowercased(), !"\(name) \(asks)".lowercased().contains(text) else { return self }
    var question = self
    question.rows = rows.filter { $0.work.lowercased().contains(text) || $0.peer.lowercased().contains(text) }
    return question.rows.isEmpty ? nil : question
  }

  func measure(_ effort: Effort) -> [Finding] {
    rows.map { Finding(self, $0, $0.measure(effort)) }
  }
}

/// One line of the table: the same work done by this package and by somebody else.
struct Row {
  /// What is done.
  let work: String
  /// With what it is done on the other side.
  let peer: String
  let goal: Goal
  let method: Method
  /// How its instructions are counted; nil if they aren't.
  var counting: Counting?

  enum Method {
    /// How long one piece of the work takes. The closure makes both sides; what they hold is released after the row.
    case time(() -> Sides)
    /// How many bytes one piece takes.
    case bytes(ours: () -> Double, peer: () -> Double)
  }

  /// A row about time.
  init(_ work: String, against peer: String, goal: Goal = .none, _ sides: @escaping () -> Sides) {
    self.work = work
    self.peer = peer
    self.goal = goal
    method = .time(sides)
  }

  /// A row about memory.
  init(
    _ work: String,
    against peer: String,
    goal: Goal = .none,
    bytes ours: @escaping () -> Double,
    peerBytes: @escaping () -> Double
  ) {
    self.work = work
    self.peer = peer
    self.goal = goal
    method = .bytes(ours: ours, peer: peerBytes)
  }
}

/// Both sides of a row.
struct Sides {
  /// Does its work so many times and tells how long that took, preparations excluded.
  typealias Side = (_ count: Int) -> Duration

  /// The pieces of a run come in whole bursts of this size.
  let burst: Int
  let ours: Side
  let peer: Side

  init(burst: Int = 1, ours: @escaping Side, peer: @escaping Side) {
    self.burst = burst
    self.ours = ours
    self.peer = peer
  }
}

/// What is asked of a row.
enum Goal {
  /// Nothing: the row is there to be read.
  case none
  /// At most so many times the peer, plus so much.
  case times(_ factor: Double, plus: Double = 0)
  /// The same as the peer, that much more or less.
  case same(within: Double)
  /// At most so much, whatever the peer needs.
  case most(Double)
}
