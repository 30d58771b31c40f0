// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// The events of links between a future and its neighbours, the futures at the other ends of its links.

extension FutureMachine {
  /// A future at the other end of a link.
  struct Neighbour {
    let link: Link
    /// The end that this future is at.
    let end: Link.End
    let future: Future
  }

  /// The position of a walk through the neighbours of a future.
  struct Cursor {
    /// The link that was found last: among the handlers, or among the sources.
    fileprivate var last: Link?
    fileprivate var end = Link.End.source
  }

  /// The outcomes of the source at which some link affects its target before handlers start.
  struct LinkedOutcomes: OptionSet {
    let rawValue: UInt8
    static let completed = LinkedOutcomes(rawValue: 1)
    static let cancelled = LinkedOutcomes(rawValue: 2)
    /// There is, or was, a link at all.
    static let any = LinkedOutcomes(rawValue: 4)
    /// There is, or was, a link by which the target's outcome may cancel this future.
    static let backward = LinkedOutcomes(rawValue: 8)

    init(rawValue: UInt8) { self.rawValue = rawValue }
    init(_ outcome: Future.Outcome) { self = outcome == .completed ? .completed : .cancelled }
  }

  // MARK: Linking

  /// Adds a link as its target; false if it has been decided.
  mutating func addSource(_ link: Link) -> Bool {
    guard phase == .pending else { return false }
    sources.prepend(link)
    return true
  }

  /// Adds a link as its source, or returns another action for it.
  mutating func add(_ link: Link) -> Addition {
    guard !link.isDetached, phase != .unresolvable else { return .drop }  // K4
    guard let resolution else { return keep(link) }
    guard let stage = link.stage, stage.answers(resolution.outcome) else { return .dispatch(resolution) }
    let startsNow = phase == .resolved || (stage.runsInline && phase != .held)
    guard startsNow else { return keep(link) }  // M5
    countDispatched()
    return .dispatch(resolution)
  }

  private mutating func keep(_ link: Link) -> Addition {
    handlers.add(link)
    linkedOutcomes.formUnion(.any)
    if link.concerns(.completed, at: .source) { linkedOutcomes.formUnion(.completed) }
    if link.concerns(.cancelled, at: .source) { linkedOutcomes.formUnion(.cancelled) }
    if !link.isOneWay { linkedOutcomes.formUnion(.backward) }
    return .keep
  }

  /// The target of a link has dropped it.
  mutating func detach(_ link: Link) {
    link.isDetached = true
    if link.isListed, phase == .pending || phase == .held { handlers.remove(link) }  // M6
  }

  // MARK: Following

  /// Returns the next neighbour that the outcome of this future may affect; nil if all have been notified.
  mutating func nextNeighbour(_ cursor: inout Cursor) -> Neighbour? {
    guard phase == .marking, let outcome = resolution?.outcome else { return nil }
    if cursor.end == .source {
      var entry = cursor.last.map(\.next) ?? handlers.entries.first
      while let current = entry {
        if let link = current.link, !link.isDetached, let found = neighbour(link, .source, outcome) {
          cursor.last = link
          return found
        }
        entry = current.next
      }
      cursor = Cursor(last: nil, end: .target)
    }
    var link = cursor.last.map(\.nextSource) ?? sources.first
    while let current = link {
      if let found = neighbour(current, .target, outcome) {
        cursor.last = current
        return found
      }
      link = current.nextSource
    }
    return nil
  }

  private func neighbour(_ link: Link, _ end: Link.End, _ outcome: Future.Outcome) -> Neighbour? {
    guard link.concerns(outcome, at: end) else { return nil }
    let other: Link.End = end == .source ? .target : .source
    return link.future(at: other).map { Neighbour(link: link, end: end, future: $0) }
  }

  /// Handles the resolution of the other future, at the given end of a link.
  ///
  /// Handlers aren't returned yet: others may have to be marked before they start (L11). It may be called any number of
  /// times, so that two threads may walk through the same futures.
  mutating func follow(_ link: Link, from end: Link.End, _ arriving: Resolution) -> Following {
    // A link that is removed is no longer found. So only links that no other walk has to follow are removed: those that
    // keep their targets, and whose targets' outcomes don't affect their sources. One that was removed already, after
    // the walk had found it, has no effect.
    let isTakenOff = end == .source && link.keptEnd == .target && link.isOneWay
    let isNews = end == .target || (isTakenOff ? removeSource(link) : link.isAtTarget)
    if phase == .marking, let resolution { return .join(resolution) }
    guard isNews, phase == .pending else { return .ignore }
    guard let verdict = end == .source ? link.verdict(for: arriving) : link.backwardVerdict(for: arriving) else {
      return .ignore
    }
    // With a single source, and no waiter, there is nothing to find behind this future.
    let isLast = link.isAtTarget && link === sources.first && link.nextSource == nil
    if isLast, inLine == 0, handlers.isEmpty { sources.remove(link) }
    return resolve(verdict)
  }

  /// Handles the release of a future that was to decide this one, at the source of the link.
  mutating func abandon(_ link: Link, _ resolution: Resolution) -> Following {
    let hasOtherDecider = link.decidesBoth && sources.contains { $0.decidesBoth && $0 !== link }
    let following = hasOtherDecider ? .ignore : follow(link, from: .source, resolution)
    _ = removeSource(link)
    return following
  }

  /// The source of a link has been delivered: it has no more effect, and may be released.
  mutating func ignore(_ link: Link) { _ = removeSource(link) }

  /// The source of a stage has been resolved, and the closure is to be called; nil if the answer is no longer needed.
  mutating func takeAnswer(of stage: Stage) -> Stage.Answer? {
    let isPending = phase == .pending
    return removeSource(stage) && isPending ? stage.takeClosure() : nil
  }

  /// Removes a link that is used up from its target, this one; false if it was already removed (K2).
  private mutating func removeSource(_ link: Link) -> Bool {
    guard link.isAtTarget, phase == .pending || phase == .held else { return false }  // M6
    sources.remove(link)
    return true
  }
}
