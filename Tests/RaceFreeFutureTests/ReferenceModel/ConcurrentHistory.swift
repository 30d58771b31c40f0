// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import RaceFreeFutureTesting
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
  typealias Calls = History<Operation, Answer>

  enum Operation: Hashable, Sendable {
    /// `complete` or `cancel`: no answer, and its effect may come at any time before all is settled.
    case resolve(End)
    /// `tryComplete` or `tryCancel`.
    case tryResolve(End)
    /// Looking at the state without being queued.
    case poll
    /// `perform` or `performAndWait`.
    case perform(deciding: End?)

    /// Whether it takes its turn after the earlier ones of its thread that do.
    var standsInLine: Bool { self != .poll }
  }

  enum Answer: Hashable, Sendable {
    case none
    case won(Bool)
    /// What a poll, or a block before it decided, saw.
    case saw(End?)
  }

  /// A serial queue: each call takes its turn.
  static var serialQueue: SequentialImplementation<End?, Operation, Answer> {
    SequentialImplementation(nil) { (end: inout End?, operation: Operation) -> Answer in
      let before = end
      switch operation {
      case .resolve(let new):
        end = before ?? new
        return .none
      case .tryResolve(let new):
        end = before ?? new
        return .won(before == nil)
      case .poll:
        return .saw(before)
      case .perform(let decision):
        end = before ?? decision
        return .saw(before)
      }
    }
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

  /// The calls; the last one sees the outcome.
  var calls = Calls()
  var handlers: [Handler] = []
  var outcome: End?

  /// What is wrong with it; nil if nothing is.
  var fault: String? {
    handlerFault
      ?? (calls.verdict(against: Self.serialQueue).isLinearizable ? nil : "no order of the calls explains the answers")
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
}
