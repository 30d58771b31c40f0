// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import TestSupport

/// An end that a future can come to.
protocol Ending: Hashable, Sendable {
  /// Which handlers belong to it.
  var outcome: Future.Outcome { get }
}

extension Future.Outcome: Ending {
  var outcome: Future.Outcome { self }
}

/// What several threads did to one future, and what they were told: to be explained by some order in which a literal
/// serial queue could have taken the calls.
struct ConcurrentHistory<End: Ending>: Sendable {
  /// A call with its answer.
  ///
  /// `begun` and `ended` are readings of one counter: if A ended before B began, A came first.
  struct Call: Sendable {
    let thread: Int
    let kind: Kind
    let begun: Int
    /// When its effect was there at the latest; nil if nobody knows.
    let ended: Int?
  }

  enum Kind: Sendable {
    /// `complete` or `cancel`: no answer.
    case resolve(End)
    /// `tryComplete` or `tryCancel`.
    case tryResolve(End, won: Bool)
    /// Looking at the state without standing in line.
    case poll(End?)
    /// `perform` or `performAndWait`: what the block saw, and what it then decided.
    case perform(saw: End?, decided: End?)

    var standsInLine: Bool { if case .poll = self { false } else { true } }
  }

  /// A handler: when its registration began and ended, whether it was taken back, and the place in the order of those
  /// that ran on the private queue.
  struct Handler: Sendable {
    let trigger: Future.Outcome?
    let begun: Int
    let ended: Int
    let wasRemoved: Bool
    let timesRun: Int
    let runOrder: Int?
  }

  var calls: [Call] = []
  var handlers: [Handler] = []
  var outcome: End?

  /// Why no legal order explains the history; nil if one does.
  var fault: String? {
    handlerFault ?? (hasLegalOrder ? nil : "no order of the calls explains the answers")
  }

  /// "Exactly one of removed and ran", "only those of the outcome", "in the order in which they were added".
  private var handlerFault: String? {
    for (index, handler) in handlers.enumerated() {
      let belongs = outcome != nil && (handler.trigger == nil || handler.trigger == outcome?.outcome)
      if handler.timesRun > 1 { return "handler \(index) ran \(handler.timesRun) times" }
      if handler.timesRun == 1, handler.wasRemoved { return "handler \(index) ran though remove() had said true" }
      if handler.timesRun == 1, !belongs { return "handler \(index) ran though the outcome is another" }
      if handler.timesRun == 0, belongs, !handler.wasRemoved { return "handler \(index) was lost" }
    }
    for (index, earlier) in handlers.enumerated() {
      for (other, later) in handlers.enumerated() where earlier.ended < later.begun {
        if let first = earlier.runOrder, let second = later.runOrder, second < first {
          return "handler \(other) overtook handler \(index)"
        }
      }
    }
    return nil
  }

  private struct Point: Hashable {
    var done: UInt64
    var outcome: End?
  }

  /// Searches for an order of the calls that respects time and each thread's own order and gives the answers that were
  /// given (Wing and Gong, with Lowe's memory of states that were tried).
  private var hasLegalOrder: Bool {
    var tried: Set<Point> = []

    func mayComeNext(_ index: Int, _ done: UInt64) -> Bool {
      let call = calls[index]
      for (other, candidate) in calls.enumerated() where other != index && done & (1 << UInt64(other)) == 0 {
        if let ended = candidate.ended, ended < call.begun { return false }
        let isOwnEarlier = candidate.thread == call.thread && candidate.begun < call.begun
        if isOwnEarlier, candidate.kind.standsInLine, call.kind.standsInLine { return false }
      }
      return true
    }

    func search(_ point: Point) -> Bool {
      if point.done == (1 << UInt64(calls.count)) - 1 { return point.outcome == outcome }
      guard tried.insert(point).inserted else { return false }
      for index in calls.indices where point.done & (1 << UInt64(index)) == 0 && mayComeNext(index, point.done) {
        guard let next = calls[index].kind.take(at: point.outcome) else { continue }
        if search(Point(done: point.done | (1 << UInt64(index)), outcome: next.outcome)) { return true }
      }
      return false
    }
    return search(Point(done: 0, outcome: nil))
  }
}

extension ConcurrentHistory.Kind {
  /// The state after this call takes its turn; nil if it could not have got its answer in this state.
  fileprivate func take(at state: End?) -> (outcome: End?, ())? {
    switch self {
    case .resolve(let outcome):
      return (state ?? outcome, ())
    case .tryResolve(let outcome, let won):
      return won == (state == nil) ? (state ?? outcome, ()) : nil
    case .poll(let seen):
      return seen == state ? (state, ()) : nil
    case .perform(let saw, let decided):
      return saw == state ? (state ?? decided, ()) : nil
    }
  }
}
