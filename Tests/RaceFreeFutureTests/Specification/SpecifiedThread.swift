// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

@testable import RaceFreeFuture

/// A thread of the specification: a client, or that of a private queue.
final class SpecifiedThread {
  /// The position in the code.
  enum Position: String {
    case idle, enqueue, waiting, add, late
    case mark, tell
    case enqueueNeighbour = "enqueue neighbour"
    case marked, cut
    case dispatchAll = "hand over"
    case block, end, answer
    /// The end of a call: it only tells what comes after the delivery.
    case `return`
  }

  /// A future that a walk has found.
  struct Found {
    let future: Int
    let isMine: Bool
    let hasNeighbours: Bool
    let link: Link
  }

  let client: Int?
  let queue: Int?

  var position = Position.idle
  /// The number of calls begun.
  var at = 0
  var job: SpecifiedFutures.CallName?
  /// The node of the job, if it has one.
  var node: HandlerNode?
  var says = "none"
  var then = Position.idle
  /// True if the block that runs has decided.
  var hasDecided = false

  // A walk.
  var root = 0
  var found: [Found] = []
  var index = 0
  var cursor = FutureMachine.Cursor()
  var last: FutureMachine.Neighbour?

  // A delivery.
  /// True if the machine waits for `delivered`.
  var reports = true
  var sources: [Link] = []
  var slot: SlotHandler?
  var entries: [ListEntry] = []
  var report = FutureMachine.Report()

  init(client: Int?, queue: Int?) {
    self.client = client
    self.queue = queue
  }

  /// The future that is walked through, or delivered.
  var owner: Int { index == 0 ? root : found[index - 1].future }

  /// Begins a walk or delivery.
  func begin(at future: Int, reports: Bool = true, then: Position, says: String) {
    (root, found, index, cursor, last) = (future, [], 0, FutureMachine.Cursor(), nil)
    (self.reports, self.then, self.says) = (reports, then, says)
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
    case .mark, .tell, .enqueueNeighbour:
      shown += [.number(root), shownFound(in: futures), .number(index)]
      shown += [.text(last?.end == .target ? "target" : "source"), last.map { futures.name($0.link) } ?? []]
    case .marked:
      shown += [.number(root), shownFound(in: futures), .number(index)]
    case .cut, .dispatchAll:
      shown += [.number(root), shownFound(in: futures), .number(index), .tuple(sources.map(futures.name))]
      let slot = slot == nil ? nil : futures.slots[owner]?.shown
      shown += [.tuple((slot.map { [$0] } ?? []) + entries.map(futures.name))]
    default:
      break
    }
    return .tuple(shown)
  }

  private func shownFound(in futures: SpecifiedFutures) -> SpecifiedValue {
    .tuple(
      found.map { [.number($0.future), .truth($0.isMine), .truth($0.hasNeighbours), futures.name($0.link)] }
    )
  }
}
