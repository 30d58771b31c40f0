// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

@testable import RaceFreeFuture

/// A thread of the specification: a client, or that of a private queue.
final class SpecifiedThread {
  /// The position in the code.
  enum Position: String {
    case idle, enqueue, waiting, add, late
    case walk
    case enqueueNeighbor = "enqueue neighbor"
    case cut
    case handOver = "hand over"
    case take
    case block, end, answer
    /// The end of a call: it only tells what comes after the delivery.
    case `return`
  }

  let client: Int?
  let queue: Int?

  var position = Position.idle
  /// The number of calls begun.
  var at = 0
  var job: SpecifiedFutures.CallName?
  /// The handler of the job, if it has one.
  var node: HandlerNode?
  var says = "none"
  var then = Position.idle
  /// True if the block that runs has decided.
  var hasDecided = false

  /// The engine, with the work that it has.
  var engine = Engine()
  /// The future that is delivered, from 1.
  var owner = 0
  /// What is left of the delivery, if one has begun.
  var delivery: Delivery?
  /// What the delivery has still to cut, and the piece that it has taken.
  var sources: [SpecifiedValue] = []
  var step: SpecifiedValue = ["over", []]
  /// A decision that the engine gives to a private queue, on its way.
  var leaving: (future: Int, decision: Resolution)?

  init(client: Int?, queue: Int?) {
    self.client = client
    self.queue = queue
  }

  func rest(at position: Position = .idle, says: String = "none") {
    (self.position, self.says, then) = (position, says, .idle)
    if position == .idle { (job, node, hasDecided) = (nil, nil, false) }
  }

  func shown(in futures: SpecifiedFutures) -> SpecifiedValue {
    var shown: [SpecifiedValue] = [
      .text(position.rawValue), .number(at), job.map { [$0.shown] } ?? [], .text(then.rawValue), .text(says),
    ]
    switch position {
    case .walk, .enqueueNeighbor, .cut, .handOver, .take:
      shown += shownWork(in: futures)
    default:
      break
    }
    if position == .enqueueNeighbor, let leaving {
      shown.append([.number(leaving.future), SpecifiedFutures.CallName(decidingBy: leaving.decision).shown])
    }
    if position == .cut || position == .handOver {
      shown += [.number(owner), .tuple(sources), step]
    }
    if position == .take { shown.append(.number(owner)) }
    return .tuple(shown)
  }

  /// The work that the engine has, but for the delivery.
  private func shownWork(in futures: SpecifiedFutures) -> [SpecifiedValue] {
    var work = engine.work
    var (arrivals, marked) = ([SpecifiedValue](), [SpecifiedValue]())
    var wave: FutureMachine.Neighbors? = work.wave
    while var current = wave {
      let outcome = SpecifiedValue.text("\(current.resolution.outcome)")
      while let neighbor = current.popFirst() {
        let (link, end): (ObjectIdentifier?, Link.End) =
          switch neighbor {
          case .link(let link, let end): (ObjectIdentifier(link), end)
          case .child(let child): (ObjectIdentifier(child), .source)
          case .source: (current.sender, .target)
          }
        arrivals.append([link.map(futures.name) ?? "unknown", .text(end == .source ? "source" : "target"), outcome])
      }
      wave = work.waves.popFirst()
    }
    while let future = work.marked.popFirst() { marked.append(.number(futures.number(future))) }
    let joined = futures.futures.map { SpecifiedValue.truth(work.joined[ObjectIdentifier($0)] != nil) }
    let answers = engine.answers.map { answer in
      SpecifiedValue.tuple([.number(futures.number(answer.target)), .text("\(answer.resolution.outcome)")])
    }
    return [.tuple(arrivals), .tuple(marked), .tuple(joined), .tuple(answers)]
  }
}
