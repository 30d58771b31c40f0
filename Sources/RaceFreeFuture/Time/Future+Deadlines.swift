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
    let (now, site) = (presentInstant, CancellationSites.site(fileID, line))
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
    let (now, site) = (presentInstant, CancellationSites.site(fileID, line))
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
      // Earlier ones may have passed whose timers are late (L14), each by the clock of its own future.
      var engine = Engine()
      while let first = earliestToCome(&engine), first.instant < instant,
        first.instant <= first.future.presentInstant
      {
        first.future.deadlineCame(first.timer, first.future.presentInstant, &engine)
      }
      engine.run()
      let reason = reason ?? TimeoutError(interval: interval, label: name, deadline: instant)
      decide(.cancelled(reason, at: site))
      return Deadline(over: instant)
    }
    let timer = DeadlineTimer(from: now, to: instant, reason, site, isScheduled: hasScheduler)
    guard let bringers = process({ $0.add(timer) ? $0.bringers() : nil }) else { return Deadline(over: instant) }
    noteDeadlines(by: bringers)
    // The heap of timers keeps the node and the future, until the first of outcome, `unregister()` and the timer itself
    // takes the node's work and stops the timer. An outcome that has come meanwhile has stopped it.
    timer.set(to: instant, from: now, for: self)
    return Deadline(self, timer, at: instant)
  }

  /// The earliest deadline of the future and of all futures whose cancellation reaches it, unless it never comes.
  @usableFromInline
  var earliestDeadline: ContinuousClock.Instant? {
    guard let instant = earliest()?.instant, presentInstant.duration(to: instant).passes else { return nil }
    return instant
  }

  /// The timer of a deadline has fired: cancels because of the earliest one that has passed, which may be another.
  ///
  /// Real timers fire in the order of their instants, on one thread. But one that has passed when it was set is decided by
  /// its own thread, and those of a scheduler come in any order. So those of futures that this one depends on come before it, as
  /// far as they are earlier; the machine chooses among its own (L14). One that was found may be moved or unregistered before
  /// it comes, so this looks again: each time it finds another one, or one that was moved.
  ///
  /// - Parameters:
  ///   - timer: The deadline.
  ///   - instant: The instant for which the timer was set: if the deadline is later, it was moved.
  /// - Returns: An engine that has marked the whole tree, and has to deliver it.
  func decideDeadlines(of timer: DeadlineTimer, at instant: ContinuousClock.Instant) -> Engine {
    var engine = Engine()
    while isPending, let first = earliestToCome(&engine), first.future !== self,
      first.instant <= first.future.presentInstant
    {
      first.future.deadlineCame(first.timer, first.future.presentInstant, &engine)
    }
    deadlineCame(timer, instant, &engine)
    return engine
  }

  /// Cancels because a deadline has come by an instant, unless it was moved or unregistered, and marks the whole tree.
  private func deadlineCame(_ timer: DeadlineTimer, _ now: ContinuousClock.Instant, _ engine: inout Engine) {
    let name = name
    switch opened(at: .cancelled, { $0.deadlineCame(timer, now, label: name) }) {
    case .ignore:
      break
    case .setAnew:
      setAnew(timer)
    case .decided(let effect, let first):
      first.stop()
      engine.perform(effect, of: self)
      engine.mark()
    }
  }

  /// Returns the earliest deadline that is still to decide something.
  ///
  /// One that has decided a future may not have reached this one yet, because the thread that walks through the tree is on
  /// its way. So the engine walks as well, from each future that is just being marked: then it has.
  private func earliestToCome(
    _ engine: inout Engine
  ) -> (instant: ContinuousClock.Instant, timer: DeadlineTimer, future: Future)? {
    let first = earliest(where: { $0.handler.isWaiting }) { engine.join($0) }
    engine.mark()
    return first
  }

  /// Returns the earliest deadline of the future and of all futures whose cancellation reaches it.
  ///
  /// A work list instead of recursion, and one lock at a time. The futures found are kept until the end, so that no
  /// later one can have the identity of an earlier one; then they are released one by one.
  private func earliest(
    where condition: (DeadlineTimer) -> Bool = { _ in true },
    ifMarking join: (Future) -> Void = { _ in }
  ) -> (instant: ContinuousClock.Instant, timer: DeadlineTimer, future: Future)? {
    var (own, found, isMarking) = process { $0.deadlinesAhead(where: condition) }
    var earliest = own.map { ($0.instant, $0.timer, self) }
    guard !found.isEmpty else { return earliest }
    var known: Set = [ObjectIdentifier(self)]
    var next = 0
    while next < found.count {
      let future = found[next]
      next += 1
      guard known.insert(ObjectIdentifier(future)).inserted else { continue }
      let others: [Future]
      (own, others, isMarking) = future.process { $0.deadlinesAhead(where: condition) }
      if isMarking { join(future) }
      if let own, earliest.map({ own.instant < $0.0 }) ?? true { earliest = (own.instant, own.timer, future) }
      found += others
    }
    return earliest
  }
}

// Called by `Deadline`.
extension Future {
  /// Moves a deadline; false if it isn't in force any more.
  func move(
    _ timer: DeadlineTimer,
    _ next: (_ instant: ContinuousClock.Instant, _ now: ContinuousClock.Instant) -> ContinuousClock.Instant
  ) -> Bool {
    let now = presentInstant
    let (isMoved, setsTimer) = process { $0.move(timer, to: next(timer.instant, now).clamped(around: now), at: now) }
    if setsTimer { setAnew(timer) }
    return isMoved
  }

  /// Sets the timer until it is set to the instant that is current by then; called by the one thread that was told to.
  func setAnew(_ timer: DeadlineTimer) {
    while let instant = process({ $0.nextSetting(of: timer) }) {
      timer.set(to: instant, from: presentInstant, for: self)
    }
  }

  /// Removes a deadline; false if it has already ended.
  func remove(_ timer: DeadlineTimer) -> Bool {
    // In one turn: as long as it hasn't decided, or is about to in a turn of its own, it can be removed.
    let work = process { $0.unregister(.node(timer)) }
    guard work != nil else { return false }
    timer.stop()
    return true
  }
}
