// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// MARK: - Deadlines

// Called by `CancellableWork`.
extension Future {
  @usableFromInline
  func setDeadline(
    at instant: ContinuousClock.Instant,
    _ reason: (any Error)?,
    _ fileID: StaticString,
    _ line: UInt
  ) -> Deadline {
    let (now, site) = (presentInstant, Observation.site(fileID, line))
    let instant = instant.clamped(around: now)
    return setDeadline(at: instant, max(.zero, now.duration(to: instant)), from: now, reason, site)
  }

  @usableFromInline
  func setDeadline(
    after interval: Duration,
    _ reason: (any Error)?,
    _ fileID: StaticString,
    _ line: UInt
  ) -> Deadline {
    let (now, site) = (presentInstant, Observation.site(fileID, line))
    return setDeadline(at: now.advanced(by: interval.clamped), interval, from: now, reason, site)
  }

  private func setDeadline(
    at instant: ContinuousClock.Instant,
    _ interval: Duration,
    from now: ContinuousClock.Instant,
    _ reason: (any Error)?,
    _ site: CreationSite?
  ) -> Deadline {
    guard isPending, !isUnresolvable else { return Deadline(over: instant) }
    guard interval > .zero else {
      decideDeadlines(by: instant)
      let reason = reason ?? TimeoutError(interval: interval, label: name, deadline: instant)
      decide(.cancelled(reason, at: site))
      return Deadline(over: instant)
    }
    let timer = TimedNode(.cancel(reason), from: now, to: instant, site)
    guard process({ $0.add(timer) }) else { return Deadline(over: instant) }
    // An outcome that has come meanwhile has stopped it.
    Timers.shared.set(timer, for: self, at: now) { instant }
    return Deadline(self, timer, at: instant)
  }

  /// The earliest deadline of the future and of all futures whose cancellation reaches it, unless it never comes.
  @usableFromInline
  var earliestDeadline: ContinuousClock.Instant? {
    var earliest: ContinuousClock.Instant?
    forEachAbove { _, deadlines, _ in
      if let instant = Timers.shared.earliest(of: deadlines) { earliest = min(earliest ?? instant, instant) }
    }
    guard let earliest, presentInstant.duration(to: earliest).passes else { return nil }
    return earliest
  }

  /// Lets deadlines come whose timers are late, before a deadline that has passed when it is set (L14).
  ///
  /// Those are of this future and of the futures whose cancellation reaches it. A cancellation that
  /// is on its way from them comes first.
  private func decideDeadlines(by instant: ContinuousClock.Instant) {
    var engine = Engine()
    var due: [(instant: ContinuousClock.Instant, deadline: TimedNode, future: Future)] = []
    forEachAbove { future, deadlines, isMarking in
      if isMarking { engine.join(future) }
      for deadline in deadlines {
        guard let own = Timers.shared.earliest(of: [deadline]), own <= instant else { continue }
        if own <= future.presentInstant { due.append((own, deadline, future)) }
      }
    }
    engine.mark()
    for (_, deadline, future) in due.sorted(by: { $0.instant < $1.instant }) {
      Timers.shared.fire(deadline, of: future, by: instant)
    }
    engine.run()
  }

  /// Calls a closure with the future and all futures whose cancellation reaches it.
  ///
  /// It is given the deadlines of each, and whether a walk is just marking it.
  ///
  /// A work list instead of recursion, and one lock at a time. The futures found are kept until the end, so that no
  /// later one can have the identity of an earlier one; then they are released one by one.
  private func forEachAbove(_ body: (Future, [TimedNode], _ isMarking: Bool) -> Void) {
    var (found, known, next) = ([self], Set([ObjectIdentifier(self)]), 0)
    while next < found.count {
      let future = found[next]
      let (deadlines, sources, isMarking) = future.process {
        ($0.phase == .pending ? $0.deadlines : [], $0.cancellingSources, $0.phase == .marking)
      }
      next += 1
      body(future, deadlines, isMarking)
      for source in sources where known.insert(ObjectIdentifier(source)).inserted { found.append(source) }
    }
  }
}

// Called by `Deadline`.
extension Future {
  /// Moves a deadline; false if it isn't in force any more.
  func move(
    _ timer: TimedNode,
    _ next: (_ instant: ContinuousClock.Instant, _ now: ContinuousClock.Instant) -> ContinuousClock.Instant
  ) -> Bool {
    guard isPending else { return false }
    let now = presentInstant
    let isMoved = Timers.shared.set(timer, for: self, at: now) {
      timer.move(to: next(timer.instant, now).clamped(around: now), at: now)
      return timer.instant
    }
    if !isMoved { Timers.shared.stop(timer) }  // It is over; if it is just about to decide, it has decided then.
    return isMoved
  }

  /// Removes a deadline; false if it has already ended.
  func remove(_ timer: TimedNode) -> Bool {
    Timers.shared.stop(timer) && process { $0.remove(timer) }
  }
}
