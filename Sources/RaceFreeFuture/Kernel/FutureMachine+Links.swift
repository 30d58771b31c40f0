// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// The events of links between a future and its neighbors, the futures at the other ends of its links.

extension FutureMachine {
  /// What a future remembers for good of what depends on it, or on which it depends: in one byte.
  struct Flags: OptionSet {
    let rawValue: UInt8
    /// Some link affects the other end at a completion, or a cancellation, before handlers start.
    static let linkedAtCompletion = Flags(rawValue: 1)
    static let linkedAtCancellation = Flags(rawValue: 2)
    /// A node is to be told of the first entry that depends on the future.
    static let isWatched = Flags(rawValue: 4)
    /// It was created in the scope of a scheduler, which may run other code between two handlers.
    static let isScheduled = Flags(rawValue: 8)
    /// There was a first handler.
    static let hasFirst = Flags(rawValue: 16)

    init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Some link affects the other end at the outcome.
    init(linkedAt outcome: Future.Outcome) {
      self = outcome == .completed ? .linkedAtCompletion : .linkedAtCancellation
    }
  }

  // MARK: Linking

  /// Adds a link as its target; false if it has been decided.
  mutating func addSource(_ link: Link) -> Bool {
    guard phase == .pending else { return false }
    sources.prepend(link)
    note(link, at: .target)
    return true
  }

  /// Adds a link as its source, or returns another effect.
  mutating func add(_ link: Link) -> Addition {
    if link.isDetached { return .drop }  // K4
    // What keeps its target is what that gets its outcome by.
    let addition = add(Entry(link), link.stage, isDependent: link.keptEnd == .target)
    if case .keep = addition { note(link, at: .source) }
    return addition
  }

  /// Adds an entry of another future: at an outcome to which that has an answer in its turn, as a handler is.
  mutating func add(_ entry: Entry, _ stage: Stage?, isDependent: Bool = true) -> Addition {
    if phase == .unresolvable { return .drop }
    if let resolution {
      guard let stage, stage.answers(resolution.outcome) else { return .dispatch(resolution) }
      if phase == .resolved || (stage.runsInline && phase != .held) {
        countDispatched()
        return .dispatch(resolution)
      }
    }
    if isDependent { dependentAdded() }
    handlers.add(entry, isLate: isLate)
    return .keep
  }

  private mutating func note(_ link: Link, at end: Link.End) {
    if link.concerns(.completed, at: end) { flags.insert(.linkedAtCompletion) }
    if link.concerns(.cancelled, at: end) { flags.insert(.linkedAtCancellation) }
  }

  /// The target of a link has dropped it.
  mutating func detach(_ link: Link) {
    link.isDetached = true
    if link.isListed { handlers.remove(Entry(link)) }
  }

  // MARK: Walking

  /// True unless no link ever made an outcome of this future affect others.
  @inline(__always)
  func mayHaveNeighbors(at outcome: Future.Outcome) -> Bool {
    flags.contains(Flags(linkedAt: outcome))
  }

  /// The futures that an outcome of this one affects next, except its origin (M7).
  ///
  /// The children are kept from now on, unless they are by the walk that has marked the future (E3).
  @inline(__always)
  mutating func neighbors(of resolution: Resolution, except known: ObjectIdentifier? = nil) -> Neighbors {
    mayHaveNeighbors(at: resolution.outcome) ? collect(resolution, resolution.outcome, known) : Neighbors()
  }

  @inline(never)
  private mutating func collect(
    _ resolution: Resolution,
    _ outcome: Future.Outcome,
    _ known: ObjectIdentifier?
  ) -> Neighbors {
    Neighbors(resolution) { add in
      var next = handlers.entries.first
      while let entry = next {
        next = entry.next
        switch entry {
        case .child(let child) where outcome == .cancelled:
          if unsafe phase == .marking || child.keep() {
            unsafe add(.child(child.takeUnretainedValue()))
          } else {
            handlers.entries.remove(entry)
          }
        case .derived(let derived) where outcome == .cancelled:
          unsafe derived._withUnsafeGuaranteedRef { if ObjectIdentifier($0) != known { add(.child($0)) } }
        case .link(let link):
          unsafe link._withUnsafeGuaranteedRef {
            if ObjectIdentifier($0) != known, $0.concerns(outcome, at: .source) { add(.link($0, from: .source)) }
          }
        default: break
        }
      }
      sources.forEach { source in
        switch source {
        case .link(let link):
          if ObjectIdentifier(link) != known, link.concerns(outcome, at: .target) { add(.link(link, from: .target)) }
        case .derivation(let only):
          if outcome == .cancelled, let source = only?.object, ObjectIdentifier(source) != known {
            add(.source(source))
          }
        case .parent: break
        }
      }
    }
  }

  /// The neighbors that a walk which comes by notifies as well; none if the future's own walk is done with them (M7).
  mutating func neighborsToJoin(except known: ObjectIdentifier?) -> Neighbors {
    guard phase == .marking, let resolution else { return Neighbors() }
    return neighbors(of: resolution, except: known)
  }

  /// Handles the outcome of the other future, at the given end of a link.
  ///
  /// Handlers aren't returned yet: others may have to be marked before they start (L11). It may be called any number of
  /// times, so that two threads may walk through the same futures.
  mutating func arrive(_ arriving: Resolution, along link: Link, from end: Link.End) -> Effect {
    // A one-way link is used once (K2, K3). If it has been removed since the walk collected it, nothing happens.
    let isNews = end == .target || (link.isOneWay ? removeSource(link) : link.isAtTarget)
    if phase == .marking { return .join }
    guard isNews, phase == .pending else { return .none }
    guard let verdict = end == .source ? link.verdict(for: arriving) : link.backwardVerdict(for: arriving) else {
      return .none
    }
    // No other walk can need this link: the future has no other source and no entries.
    if inLine == 0, handlers.isEmpty, sources.hasOnly(link) { sources.remove(link) }
    return resolve(verdict, by: ObjectIdentifier(link))
  }

  /// Handles the release of a future that was to decide this one, at the source of the link.
  mutating func abandon(_ link: Link, _ resolution: Resolution) -> Effect {
    let hasOtherDecider = link.decidesBoth && sources.contains { $0.decidesBoth && $0 !== link }
    let effect = hasOtherDecider ? .none : arrive(resolution, along: link, from: .source)
    _ = removeSource(link)
    return effect
  }

  /// The source of a link has been delivered: it has no more effect, and may be released.
  mutating func ignore(_ link: Link) { _ = removeSource(link) }

  /// Removes a used link from its target, this future; false if it was already removed (K2).
  mutating func removeSource(_ link: Link) -> Bool {
    // Later the deliverer cuts it; until then another walk may follow it back (K2).
    guard link.isAtTarget, phase == .pending || phase == .held else { return false }
    sources.remove(link)
    return true
  }

  /// The number of futures that keep this one and wait for its outcome.
  var dependentCount: Int {
    var count = 0
    handlers.entries.forEach { entry in
      switch entry {
      case .child: count += 1
      case .link: if entry.link?.keptEnd == .source { count += 1 }
      default: break
      }
    }
    return count
  }

  /// The futures whose cancellation, and so whose deadline, reaches this one by a link.
  var cancellingSources: [Future] {
    guard phase == .pending else { return [] }
    var found: [Future] = []
    sources.forEach { source in
      switch source {
      case .parent(let parent): found.append(parent)
      case .derivation(let only): if let source = only?.object { found.append(source) }
      case .link(let link):
        if case .any = link.rule { return }
        if link.concerns(.cancelled, at: .source), let source = link.future(at: .source) { found.append(source) }
      }
    }
    return found
  }

  /// True if it is pending, and neither a block, nor a deadline, nor another future by a link may resolve it.
  var isLeftToItsWork: Bool {
    phase == .pending && inLine == 0 && !handlers.hasTimers && sources.isEmpty && !handlers.hasLinks
  }
}
